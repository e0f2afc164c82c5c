import type { VideoFacts } from '../../media/containers/video-header.ts';
import { probeLimitedVideo, type VideoLimits } from '../../media/video/video-limits.ts';

export const CUTOUT_VIDEO_LIMITS: VideoLimits = {
  bytesMax: 200_000_000,
  secondsMax: 60,
  sideMax: 3840,
  frameRateMax: 60,
};

/** Each second may hold frames of the largest size at the highest rate: an hour for the longest video. */
export const CUTOUT_VIDEO_RUN_SECONDS = { base: 300, perSecond: 55 };

/**
 * Probes a video and checks it against the limits.
 * @throws OperationError `bad_request` when the input is no video, or exceeds a limit
 */
export function probeCutoutVideo(input: Blob): Promise<VideoFacts> {
  return probeLimitedVideo(input, CUTOUT_VIDEO_LIMITS);
}

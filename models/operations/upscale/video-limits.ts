import { fieldError } from '../../core/operation/errors.ts';
import type { VideoFacts } from '../../media/containers/video-header.ts';
import { probeLimitedVideo, type VideoLimits } from '../../media/video/video-limits.ts';
import { OUTPUT_SIDE_MAX, type Scale } from './plan-passes.ts';

export const UPSCALE_VIDEO_LIMITS: VideoLimits = {
  bytesMax: 200_000_000,
  secondsMax: 60,
  sideMax: 2048,
  frameRateMax: 60,
};

/**
 * Probes a video and checks it against the limits.
 * @throws OperationError `bad_request` when the input is no video, or exceeds a limit
 */
export function probeUpscaleVideo(input: Blob): Promise<VideoFacts> {
  return probeLimitedVideo(input, UPSCALE_VIDEO_LIMITS);
}

/** @throws OperationError `bad_request` when the result would be too large */
export function checkVideoScale({ width, height }: VideoFacts, scale: Scale): void {
  if (Math.max(width, height) * scale <= OUTPUT_SIDE_MAX) return;
  throw fieldError(
    'scale',
    `a video of ${width} x ${height} pixels enlarged ${scale} times has more than ${OUTPUT_SIDE_MAX} pixels per side. Use a smaller factor or video.`,
  );
}

import { OperationError } from '../../core/operation/errors.ts';
import type { ReportProgress } from '../../core/runtime/progress.ts';
import type { DecodedVideo, VideoFrame } from '../../core/runtime/video-codec.ts';
import type { VideoFacts } from '../containers/video-header.ts';
import { TOLERANCE_SECONDS, type VideoLimits } from './video-limits.ts';
import { videoProgress } from './video-progress.ts';

export interface VideoFramesOptions {
  /** Facts from probing, as of pricing. */
  readonly facts: VideoFacts;
  readonly limits: Pick<VideoLimits, 'secondsMax' | 'frameRateMax'>;
  /** Called after the work on each frame, when the next one is requested. */
  readonly progress: ReportProgress;
}

/**
 * Yields the frames of a video while it is no longer than its header said when the price was made.
 * @throws OperationError `unprocessable` at the first frame beyond that
 */
export async function* videoFrames(
  video: DecodedVideo,
  { facts, limits, progress }: VideoFramesOptions,
): AsyncGenerator<VideoFrame> {
  const { durationSeconds } = facts;
  const framesMax = limits.secondsMax * limits.frameRateMax;
  const done = videoProgress(video, facts, progress);
  let count = 0;
  for await (const frame of video.frames()) {
    if (frame.timestampSeconds > durationSeconds + TOLERANCE_SECONDS || ++count > framesMax) {
      throw new OperationError(
        'unprocessable',
        `The video is longer than the ${durationSeconds.toFixed(1)} seconds that its header states. Export it again.`,
      );
    }
    yield frame;
    done(frame);
  }
}

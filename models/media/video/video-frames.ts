import { OperationError } from '../../core/operation/errors.ts';
import type { ReportProgress } from '../../core/runtime/progress.ts';
import type { DecodedVideo, VideoFrame } from '../../core/runtime/video-codec.ts';
import type { VideoFacts } from '../containers/video-header.ts';
import { TOLERANCE_SECONDS, type VideoLimits } from './video-limits.ts';

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

/**
 * Reports the progress of a video, frame by frame. Without a count in the header, the total is estimated from the
 * frames so far.
 * @returns a function to call after each frame
 */
export function videoProgress(
  { durationSeconds }: Pick<DecodedVideo, 'durationSeconds'>,
  { frameCount, isFrameCountExact }: Pick<VideoFacts, 'frameCount' | 'isFrameCountExact'>,
  progress: ReportProgress,
): (frame: Pick<VideoFrame, 'timestampSeconds' | 'durationSeconds'>) => void {
  let done = 0;
  return (frame) => {
    done += 1;
    const fraction = Math.min(1, (frame.timestampSeconds + frame.durationSeconds) / durationSeconds);
    const total = Math.max(done, frameCount ?? Math.round(done / fraction));
    progress({ fraction, count: { done, total, isGuess: !isFrameCountExact, unit: 'frame' } });
  };
}

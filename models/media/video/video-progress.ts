import type { ReportProgress } from '../../core/runtime/progress.ts';
import type { DecodedVideo, VideoFrame } from '../../core/runtime/video-codec.ts';
import type { VideoFacts } from '../containers/video-header.ts';

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

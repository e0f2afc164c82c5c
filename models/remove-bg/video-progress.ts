import type { VideoFacts } from '../kernels/video-header.ts';
import type { Runtime } from '../runtime.ts';
import type { Video, VideoFrame } from '../video-codec.ts';

/**
 * Tells how far a video is, frame by frame. Where its header doesn't tell how many there are, that is guessed from those
 * that have come.
 * @returns is to be called after each frame
 */
export function videoProgress(
  { durationSeconds }: Pick<Video, 'durationSeconds'>,
  { frameCount, isFrameCountExact }: Pick<VideoFacts, 'frameCount' | 'isFrameCountExact'>,
  progress: Runtime['progress'],
): (frame: Pick<VideoFrame, 'timestampSeconds' | 'durationSeconds'>) => void {
  let done = 0;
  return (frame) => {
    done += 1;
    const fraction = Math.min(1, (frame.timestampSeconds + frame.durationSeconds) / durationSeconds);
    const total = Math.max(done, frameCount ?? Math.round(done / fraction));
    progress(fraction, { done, total, isGuess: !isFrameCountExact, unit: 'frame' });
  };
}

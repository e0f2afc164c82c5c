import type { DecodedAudio } from '../../core/runtime/audio-codec.ts';
import type { ReportProgress } from '../../core/runtime/progress.ts';

/** Returns a function that reports the number of frames that are done as minutes of sound. */
export function minuteProgress(
  { frameCount, sampleRate }: Pick<DecodedAudio, 'frameCount' | 'sampleRate'>,
  progress: ReportProgress,
): (frames: number) => void {
  const total = Math.ceil(frameCount / sampleRate / 60);
  return (frames) => {
    const done = Math.min(total, Math.floor(frames / sampleRate / 60));
    const count = { done, total, isGuess: false, unit: 'minute' };
    progress({ fraction: Math.min(1, frames / frameCount), count });
  };
}

import { loadedShare, type Progress } from '../../../models/runtime/progress.ts';

/** Returns what a bar shows: the share of the download that a run waits for, else of its work. */
export function shownShare({ fraction, loading }: Progress): number {
  return loading ? loadedShare(loading) : fraction;
}

/** Describes progress in words: `frame 42 of about 180 · 23 %`. */
export function describeProgress(progress: Progress): string {
  const { fraction, count, loading, step, isEstimate } = progress;
  const percent = `${isEstimate ? 'about ' : ''}${Math.round(shownShare(progress) * 100)} %`;
  if (loading) return `loading · ${percent}`;
  if (!count) return step ? `${step} · ${percent}` : percent;
  const { unit, done, total, isGuess } = count;
  const counted = `${unit} ${done} of ${isGuess ? 'about ' : ''}${total}`;
  // After the last part the file is still to be put together.
  return fraction === 1 ? `${counted} · finishing the file` : `${counted} · ${percent}`;
}

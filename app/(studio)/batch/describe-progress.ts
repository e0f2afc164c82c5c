import type { Progress } from './batch.ts';

/** Describes progress in words: `frame 42 of about 180 · 23 %`. */
export function describeProgress({ fraction, count, loading, step }: Progress): string {
  const percent = `${Math.round((loading ?? fraction) * 100)} %`;
  if (loading !== undefined) return `loading · ${percent}`;
  if (!count) return step ? `${step} · ${percent}` : percent;
  const { unit, done, total, isGuess } = count;
  const counted = `${unit} ${done} of ${isGuess ? 'about ' : ''}${total}`;
  // After the last part the file is still to be put together.
  return fraction === 1 ? `${counted} · finishing the file` : `${counted} · ${percent}`;
}

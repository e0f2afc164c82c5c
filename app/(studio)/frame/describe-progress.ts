import type { Progress } from '../batch/batch.ts';

/** Describes progress in words: `frame 42 of about 180 · 23 %`. */
export function describeProgress({ fraction, count, isLoading, step }: Progress): string {
  const percent = `${Math.round(fraction * 100)} %`;
  if (isLoading) return `loading · ${percent}`;
  if (!count) return step ? `${step} ${percent}` : percent;
  const { unit, done, total, isGuess } = count;
  return `${unit} ${done} of ${isGuess ? 'about ' : ''}${total} · ${percent}`;
}

import type { Progress } from './batch.ts';

/** How far it is, in words: `frame 42 of about 180 · 23 %`. */
export function progressWords({ fraction, count, isLoading, step }: Progress): string {
  const percent = `${Math.round(fraction * 100)} %`;
  if (isLoading) return `loading · ${percent}`;
  if (!count) return step ? `${step} ${percent}` : percent;
  const { unit, done, total, isGuess } = count;
  return `${unit} ${done} of ${isGuess ? 'about ' : ''}${total} · ${percent}`;
}

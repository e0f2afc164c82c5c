import type { TimeSpan } from '../../../models/kernels/audio/speech-regions.ts';

/**
 * Returns the position after a time of playing, in seconds. A loop that begins before its end repeats from there; one
 * that has been passed at the start never does.
 */
export function positionAfter(elapsed: number, from: number, loop: TimeSpan | undefined): number {
  const at = from + Math.max(0, elapsed);
  if (!loop || from >= loop.end || at < loop.end) return at;
  return loop.start + ((at - loop.end) % (loop.end - loop.start));
}

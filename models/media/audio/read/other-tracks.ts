import { OperationError } from '../../../core/operation/errors.ts';
import type { HeardTrack } from '../../../core/runtime/audio-facts.ts';

/** Limit on the other tracks that are tried: each may have to be decoded in vain. */
const OTHERS_MAX = 8;

/** Lists the numbers of the tracks that may be heard in place of a silent one, in their order. */
export function otherTrackNumbers(track: HeardTrack | undefined): readonly number[] {
  if (!track) return [];
  const numbers = Array.from({ length: Math.min(track.count, OTHERS_MAX + 1) }, (_, at) => at + 1);
  return numbers.filter((number) => number !== track.number).slice(0, OTHERS_MAX);
}

/** Returns null for a track that is refused, which no operation hears. Throws all other errors. */
export function unlessRefused(thrown: unknown): null {
  if (thrown instanceof OperationError) return null;
  throw thrown;
}

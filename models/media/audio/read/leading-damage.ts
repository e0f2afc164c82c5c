import type { AudioFacts } from '../../../core/runtime/audio-facts.ts';
import type { AudioPart } from '../parts/audio-part.ts';

/** Part of a file that is opened, and the time of its first packet. */
interface OpenedPart {
  readonly facts: AudioFacts;
  readonly firstSeconds: number;
}

/** Difference between a length by times and one by bytes that bit rates explain. */
const LEAD_SECONDS = 5;

/**
 * Returns the length of the damage before a part: by its own times, unless its clock begins elsewhere. Then it is that
 * of its share of the bytes.
 */
export function leadingDamage(
  { file, lostBytes = 0, ...part }: AudioPart,
  { facts, ...link }: OpenedPart,
): number {
  const firstSeconds = part.firstSeconds ?? link.firstSeconds;
  const expected = (lostBytes / file.size) * facts.durationSeconds;
  const isFar = Math.abs(firstSeconds - expected) > LEAD_SECONDS + expected;
  if (lostBytes === 0) return 0;
  return isFar ? expected : firstSeconds;
}

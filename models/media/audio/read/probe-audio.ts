import type { AudioFacts, AudioProbeOptions } from '../../../core/runtime/audio-facts.ts';
import { findParts } from './find-parts.ts';
import { openParts } from './open-audio.ts';
import { otherTrackNumbers, unlessRefused } from './other-tracks.ts';

/**
 * Returns the facts about a file's audio. Of several tracks any may be heard, which only decoding tells: so the length
 * is that of the longest.
 * @throws OperationError as `findParts` and `openParts`
 */
export async function probeAudio(file: Blob, options: AudioProbeOptions = {}): Promise<AudioFacts> {
  const found = await findParts(file, options);
  const { facts } = await openParts(found, options);
  let { durationSeconds } = facts;
  for (const trackNumber of otherTrackNumbers(facts.track)) {
    const other = await openParts(found, { ...options, trackNumber }).catch(unlessRefused);
    durationSeconds = Math.max(durationSeconds, other?.facts.durationSeconds ?? 0);
  }
  return { ...facts, durationSeconds };
}

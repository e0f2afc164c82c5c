import type { AudioFacts, AudioProbeOptions } from '../../../runtime/audio-facts.ts';
import { openAudio } from './open-audio.ts';
import { otherTrackNumbers, unlessRefused } from './other-tracks.ts';

/**
 * Returns the facts about a file's audio. Of several tracks any may be heard, which only decoding tells: so the length
 * is that of the longest.
 * @throws OperationError as `openAudio`
 */
export async function probeAudio(file: Blob, options: AudioProbeOptions = {}): Promise<AudioFacts> {
  const { facts } = await openAudio(file, options);
  let { durationSeconds } = facts;
  for (const trackNumber of otherTrackNumbers(facts.track)) {
    const other = await openAudio(file, { ...options, trackNumber }).catch(unlessRefused);
    durationSeconds = Math.max(durationSeconds, other?.facts.durationSeconds ?? 0);
  }
  return { ...facts, durationSeconds };
}

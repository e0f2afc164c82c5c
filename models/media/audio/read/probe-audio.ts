import type { AudioFacts, AudioProbeOptions } from '../../../core/runtime/audio-codec.ts';
import { findParts } from './find-parts.ts';
import { openParts } from './open-audio.ts';
import { otherTrackNumbers, unlessRefused } from './open-tracks.ts';

/** Longest accepted audio: 4 hours. */
export const AUDIO_SECONDS_MAX = 4 * 3600;
/** Largest accepted file. */
export const AUDIO_BYTES_MAX = 500_000_000;

/** Input of an operation on audio. */
export const AUDIO_INPUT = {
  audio_url: {
    media: ['audio', 'video'],
    encoding: 'url',
    description: 'HTTP(S) URL of an audio file, or a video with audio, of at most 500 MB and 4 hours.',
  },
} as const;

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

/**
 * Probes the input of an operation on audio.
 * @throws OperationError for a file that holds no audio, cannot be read, or exceeds the limits
 */
export async function probeAudioInput(input: Blob): Promise<AudioFacts> {
  return await probeAudio(input, { secondsMax: AUDIO_SECONDS_MAX, bytesMax: AUDIO_BYTES_MAX });
}

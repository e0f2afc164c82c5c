import type { AudioFacts } from '../../core/runtime/audio-facts.ts';
import { probeAudio } from './read/probe-audio.ts';

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
 * Probes the input of an operation on audio.
 * @throws OperationError for a file that holds no audio, cannot be read, or exceeds the limits
 */
export async function probeAudioInput(input: Blob): Promise<AudioFacts> {
  return await probeAudio(input, { secondsMax: AUDIO_SECONDS_MAX, bytesMax: AUDIO_BYTES_MAX });
}

/** Longest accepted audio: 4 hours. */
export const AUDIO_SECONDS_MAX = 4 * 3600;
/** Largest accepted file. */
export const AUDIO_BYTES_MAX = 500_000_000;

/** Returns the billed seconds of audio: all that were started, at least 1. */
export function billedAudioSeconds(durationSeconds: number): number {
  // Lengths are sums of fractions: an error of rounding starts no further second.
  return Math.max(1, Math.ceil(durationSeconds - 1e-6));
}

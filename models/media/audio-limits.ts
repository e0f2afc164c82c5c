/** Longest accepted audio: 4 hours. */
export const AUDIO_SECONDS_MAX = 4 * 3600;
/** Largest accepted file. */
export const AUDIO_BYTES_MAX = 500_000_000;

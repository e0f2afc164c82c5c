import type { PcmChunk } from '../core/runtime/pcm.ts';

/** Sample rate of tones, in Hz. */
export const TONE_RATE = 44_100;

const AMPLITUDE = 0.25;
/** One second. */
const CHUNK_FRAMES = TONE_RATE;

/**
 * Yields a stereo sine tone in chunks of a second.
 * @throws the signal's reason once it aborts
 */
export async function* drawTone(
  { durationSeconds, hertz }: { readonly durationSeconds: number; readonly hertz: number },
  signal: AbortSignal,
): AsyncGenerator<PcmChunk> {
  const total = Math.max(1, Math.round(durationSeconds * TONE_RATE));
  for (let start = 0; start < total; start += CHUNK_FRAMES) {
    signal.throwIfAborted();
    const count = Math.min(CHUNK_FRAMES, total - start);
    const samples = Float32Array.from(
      { length: count },
      (_, at) => AMPLITUDE * Math.sin((2 * Math.PI * hertz * (start + at)) / TONE_RATE),
    );
    yield [samples, samples.slice()];
  }
}

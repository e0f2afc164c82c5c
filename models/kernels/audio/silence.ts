import type { PcmPiece } from '../../core/runtime/audio-codec.ts';

/** Peak that no encoder is given: 36 dB over full scale. */
const BURST_PEAK = 64;
/** Peak beyond that of whole numbers of 32 bits, which some programs store as floating point: such bytes are no sound. */
export const NOISE_PEAK = 2 ** 32;
/** Frames of a piece of silence. */
const PIECE_FRAMES = 65_536;

/**
 * Yields silence in place of damaged samples, which is marked. The pieces share one array of zeros, so that hours of
 * them take no memory; the receiver may not modify it.
 * @param like piece of the same format
 */
export function* damagedSilence(
  { sampleRate, channels }: PcmPiece,
  startSeconds: number,
  endSeconds: number,
): Generator<PcmPiece> {
  const frames = Math.max(0, Math.round((endSeconds - startSeconds) * sampleRate));
  const zeros = new Float32Array(Math.min(frames, PIECE_FRAMES));
  for (let at = 0; at < frames; at += PIECE_FRAMES) {
    const samples = zeros.subarray(0, Math.min(PIECE_FRAMES, frames - at));
    yield {
      timestampSeconds: startSeconds + at / sampleRate,
      sampleRate,
      channels: channels.map(() => samples),
      isDamaged: true,
    };
  }
}

/** Reports whether samples are stored as they are: those of floating point may have any scale. */
export function isUncompressedCodec(codec: string | null): boolean {
  return codec?.startsWith('pcm') ?? false;
}

/** Reports whether a piece is far louder than full scale, as decoders render some damaged packets. */
export function isBurst({ channels }: PcmPiece, peak = BURST_PEAK): boolean {
  return channels.some((samples) => samples.some((sample) => !(Math.abs(sample) <= peak)));
}

/** Replaces the bursts among pieces by silence, which is marked as damage. @param peak that is none yet */
export async function* silenceBursts(
  pieces: AsyncIterable<PcmPiece>,
  peak = BURST_PEAK,
): AsyncGenerator<PcmPiece> {
  for await (const piece of pieces) {
    if (!isBurst(piece, peak)) {
      yield piece;
      continue;
    }
    const channels = piece.channels.map((samples) => new Float32Array(samples.length));
    yield { ...piece, channels, isDamaged: true };
  }
}

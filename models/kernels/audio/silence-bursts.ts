import type { PcmPiece } from '../../core/runtime/pcm.ts';

/** Peak that no encoder is given: 36 dB over full scale. */
const BURST_PEAK = 64;

/** Reports whether samples are stored as they are: those of floating point may have any scale. */
export function isUncompressedCodec(codec: string | null): boolean {
  return codec?.startsWith('pcm') ?? false;
}

/** Reports whether a piece is far louder than full scale, as decoders render some damaged packets. */
export function isBurst({ channels }: PcmPiece): boolean {
  return channels.some((samples) => samples.some((sample) => !(Math.abs(sample) <= BURST_PEAK)));
}

/** Replaces the bursts among pieces by silence, which is marked as damage. */
export async function* silenceBursts(pieces: AsyncIterable<PcmPiece>): AsyncGenerator<PcmPiece> {
  for await (const piece of pieces) {
    if (!isBurst(piece)) {
      yield piece;
      continue;
    }
    const channels = piece.channels.map((samples) => new Float32Array(samples.length));
    yield { ...piece, channels, isDamaged: true };
  }
}

import type { Bytes } from './byte-writer.ts';

export const LZW_CODES_MAX = 4096;
export const LZW_CODE_BITS_MAX = 12;

/** Variant of variable-length LZW. */
interface LzwVariant {
  /** Bits of the values that are compressed, 1 to 8. */
  readonly valueBits: number;
  /** Whether codes begin with the highest bit of a byte, and widen one code early: so in TIFF, not in GIF. */
  readonly isTiff: boolean;
}

interface Unpacked {
  /** Room for the result, of which the rest is 0. */
  readonly bytes: Bytes;
  /** Number of values that are there. */
  readonly count: number;
  /** Whether a code stands for nothing. */
  readonly isDamaged: boolean;
}

/**
 * Decompresses variable-length LZW: GIF89a, appendix F, and TIFF 6.0, section 13.
 * @param length of the result at most
 */
export function unpackLzw(packed: Uint8Array, length: number, { valueBits, isTiff }: LzwVariant): Unpacked {
  const out = new Uint8Array(length);
  const clear = 1 << valueBits;
  // A code stands for a piece of what was written before: its start and length there.
  const starts = new Uint32Array(LZW_CODES_MAX);
  const lengths = new Uint32Array(LZW_CODES_MAX);
  const early = isTiff ? 1 : 0;
  let [at, held, heldBits, bits, next] = [0, 0, 0, valueBits + 1, clear + 2];
  let [previousStart, previousLength] = [0, 0];
  let isDamaged = false;
  for (let from = 0; at < length; ) {
    while (heldBits < bits && from < packed.length) {
      held = isTiff ? ((held << 8) | packed[from++]) & 0xff_ffff : held | (packed[from++] << heldBits);
      heldBits += 8;
    }
    if (heldBits < bits) break;
    heldBits -= bits;
    const code = (isTiff ? held >> heldBits : held) & ((1 << bits) - 1);
    if (!isTiff) held >>>= bits;
    if (code === clear) {
      [bits, next, previousLength] = [valueBits + 1, clear + 2, 0];
      continue;
    }
    if (code === clear + 1) break;
    isDamaged = code > next || (code === next && previousLength === 0);
    if (isDamaged) break;
    const start = at;
    if (code < clear) out[at++] = code;
    else {
      // A code that is not yet there stands for the previous piece with its own first value.
      const pieceStart = code === next ? previousStart : starts[code];
      const end = Math.min(length, at + (code === next ? previousLength + 1 : lengths[code]));
      for (let piece = pieceStart; at < end; ) out[at++] = out[piece++];
    }
    if (previousLength > 0 && next < LZW_CODES_MAX) {
      starts[next] = previousStart;
      lengths[next] = previousLength + 1;
      next++;
      if (next + early === 1 << bits && bits < LZW_CODE_BITS_MAX) bits++;
    }
    [previousStart, previousLength] = [start, at - start];
  }
  return { bytes: out, count: at, isDamaged };
}

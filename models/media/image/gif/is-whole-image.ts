/** Length of an image descriptor: GIF89a, section 20. */
const DESCRIPTOR_BYTES = 10;
const CODES_MAX = 4096;

/**
 * Reports whether the last image of a GIF has all its pixels, although the file ends behind them: adds up what its
 * codes stand for, which is variable-length LZW (GIF89a, appendix F).
 * @param start position of its descriptor
 */
export function isWholeGifImage(file: Uint8Array, start: number): boolean {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (start + DESCRIPTOR_BYTES >= file.length) return false;
  const pixels = view.getUint16(start + 5, true) * view.getUint16(start + 7, true);
  const flags = view.getUint8(start + 9);
  const at = start + DESCRIPTOR_BYTES + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  return countPixels(file, at + 1, file[at] ?? 0) >= pixels;
}

/** Adds up the pixels of codes until they end. @param codeBits of the colours */
function countPixels(file: Uint8Array, start: number, codeBits: number): number {
  if (codeBits < 1 || codeBits > 8) return 0;
  const clear = 1 << codeBits;
  const lengths = new Uint16Array(CODES_MAX).fill(1, 0, clear);
  let [pixels, bits, next, previous] = [0, codeBits + 1, clear + 2, 0];
  for (const code of codesOf(file, start, () => bits)) {
    if (code === clear + 1) return pixels;
    if (code === clear) {
      [bits, next, previous] = [codeBits + 1, clear + 2, 0];
      continue;
    }
    if (code > next || (code === next && previous === 0)) return pixels;
    // A code that is not yet there stands for the previous piece with its own first pixel.
    const length = code === next ? previous + 1 : lengths[code];
    if (previous > 0 && next < CODES_MAX) {
      lengths[next++] = previous + 1;
      if (next === 1 << bits && bits < 12) bits++;
    }
    pixels += length;
    previous = length;
  }
  return pixels;
}

/** Yields the codes in the blocks of an image; of the last block, those that are there. */
function* codesOf(file: Uint8Array, start: number, bitsOf: () => number): Generator<number> {
  let [held, heldBits] = [0, 0];
  for (let at = start; at < file.length && file[at] !== 0; ) {
    const end = Math.min(file.length, at + 1 + file[at]);
    for (at += 1; at < end; at++) {
      held |= file[at] << heldBits;
      heldBits += 8;
      while (heldBits >= bitsOf()) {
        const bits = bitsOf();
        yield held & ((1 << bits) - 1);
        held >>>= bits;
        heldBits -= bits;
      }
    }
  }
}

import type { Bytes } from '../../bytes/byte-writer.ts';
import { LZW_CODE_BITS_MAX, LZW_CODES_MAX, unpackLzw } from '../../bytes/lzw.ts';

/** Places of the table of pieces; a power of two, several times the codes. */
const SLOTS = 1 << 14;

/**
 * Decompresses the colours of an image.
 * @param packed its sub-blocks, joined
 * @param codeBits of the colours, 1 to 8
 * @param length of the result at most
 * @returns the colours that are there
 */
export function unpackGifLzw(packed: Uint8Array, codeBits: number, length: number): Bytes {
  if (codeBits < 1 || codeBits > 8) return new Uint8Array(0);
  const { bytes, count } = unpackLzw(packed, length, { valueBits: codeBits, isTiff: false });
  return bytes.subarray(0, count);
}

/**
 * Compresses the colours of an image.
 * @param codeBits of the colours, 2 to 8
 * @returns what stands for them, to be divided into sub-blocks
 */
export function packGifLzw(colours: Uint8Array, codeBits: number): Bytes {
  const clear = 1 << codeBits;
  // A code of 12 bits for each colour at most, besides those that clear the table.
  const out = new Uint8Array(16 + Math.ceil(colours.length * 1.6));
  const [pieces, codes] = [new Int32Array(SLOTS), new Uint16Array(SLOTS)];
  let [at, held, heldBits, bits, next] = [0, 0, 0, codeBits + 1, clear + 2];
  const write = (code: number): void => {
    held |= code << heldBits;
    heldBits += bits;
    for (; heldBits >= 8; heldBits -= 8, held >>>= 8) out[at++] = held & 0xff;
  };
  pieces.fill(-1);
  write(clear);
  let code = colours[0] ?? 0;
  for (let from = 1; from < colours.length; from++) {
    const colour = colours[from];
    const piece = (code << 8) | colour;
    let slot = Math.imul(piece, 0x9e3779b1) >>> 18;
    while (pieces[slot] !== -1 && pieces[slot] !== piece) slot = (slot + 1) & (SLOTS - 1);
    if (pieces[slot] === piece) {
      code = codes[slot];
      continue;
    }
    write(code);
    code = colour;
    if (next < LZW_CODES_MAX) {
      [pieces[slot], codes[slot]] = [piece, next];
      // The decoder is one piece behind.
      if (next === 1 << bits && bits < LZW_CODE_BITS_MAX) bits++;
      next++;
    } else {
      write(clear);
      pieces.fill(-1);
      [bits, next] = [codeBits + 1, clear + 2];
    }
  }
  if (colours.length > 0) write(code);
  if (next === 1 << bits && bits < LZW_CODE_BITS_MAX) bits++;
  write(clear + 1);
  if (heldBits > 0) out[at++] = held & 0xff;
  return out.subarray(0, at);
}

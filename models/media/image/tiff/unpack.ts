import type { Bytes } from '../../bytes/byte-writer.ts';
import { damagedTiff } from './damaged-tiff.ts';

const CLEAR = 256;
const END = 257;
const CODES_MAX = 4096;

/**
 * Decompresses LZW: TIFF 6.0, section 13.
 * @param length of the result; what is missing stays 0
 * @throws OperationError `unprocessable` when it is damaged
 */
export function unpackLzw(packed: Bytes, length: number): Bytes {
  const out = new Uint8Array(length);
  // A code stands for a piece of what was written before: its start and length there.
  const starts = new Uint32Array(CODES_MAX);
  const lengths = new Uint16Array(CODES_MAX);
  let [at, held, heldBits, codeBits, next] = [0, 0, 0, 9, END + 1];
  let previous = -1;
  let previousStart = 0;
  for (let from = 0; at < length; ) {
    while (heldBits < codeBits) {
      if (from >= packed.length) return out;
      held = ((held << 8) | packed[from++]) & 0xff_ffff;
      heldBits += 8;
    }
    heldBits -= codeBits;
    const code = (held >> heldBits) & ((1 << codeBits) - 1);
    if (code === END) return out;
    if (code === CLEAR) {
      [codeBits, next, previous] = [9, END + 1, -1];
      continue;
    }
    const start = at;
    const previousLength = previous < 0 ? 0 : previous < CLEAR ? 1 : lengths[previous];
    if (code < CLEAR) out[at++] = code;
    else if (code < next) at = copyWithin(out, starts[code], lengths[code], at);
    else if (code === next && previous >= 0) {
      at = copyWithin(out, previousStart, previousLength, at);
      if (at < length) out[at++] = out[previousStart];
    } else throw damagedTiff('its samples cannot be decompressed');
    if (previous >= 0 && next < CODES_MAX) {
      starts[next] = previousStart;
      lengths[next] = previousLength + 1;
      next++;
      if (next === (1 << codeBits) - 1 && codeBits < 12) codeBits++;
    }
    previous = code;
    previousStart = start;
  }
  return out;
}

function copyWithin(out: Bytes, from: number, length: number, to: number): number {
  const end = Math.min(out.length, to + length);
  for (let at = to; at < end; at++) out[at] = out[from + at - to];
  return end;
}

/** Decompresses PackBits: TIFF 6.0, section 9. @param length of the result */
export function unpackBits(packed: Bytes, length: number): Bytes {
  const out = new Uint8Array(length);
  for (let from = 0, at = 0; from < packed.length && at < length; ) {
    const count = (packed[from++] << 24) >> 24;
    if (count === -128) continue;
    if (count < 0) {
      out.fill(packed[from++] ?? 0, at, Math.min(length, at + 1 - count));
      at += 1 - count;
    } else {
      out.set(packed.subarray(from, from + Math.min(count + 1, length - at)), at);
      from += count + 1;
      at += count + 1;
    }
  }
  return out;
}

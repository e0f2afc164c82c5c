import type { Raster8 } from '../../../core/runtime/raster.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';

/** Prefix code as WebP stores it: RFC 9649, 3.7.2. */
interface PrefixCode {
  /** Code length of each symbol in bits, 0 for unused symbols. */
  readonly lengths: Uint8Array;
  /** Code of each symbol, first bit lowest. */
  readonly codes: Uint16Array;
}

const LENGTH_MAX = 15;

/** Writer of consecutive bits, lowest bit of each byte first: RFC 9649, 3.2. */
class BitWriter {
  #bytes: Bytes = new Uint8Array(65_536);
  #length = 0;
  #pending = 0;
  #pendingBits = 0;

  /**
   * Writes bits.
   * @param count of bits, at most 24
   */
  write(value: number, count: number): void {
    this.#pending |= value << this.#pendingBits;
    this.#pendingBits += count;
    while (this.#pendingBits >= 8) this.#put();
  }

  /** Returns all bytes so far, the last padded with zeros, and ends the writing. */
  finish(): Bytes {
    if (this.#pendingBits > 0) this.#put();
    return this.#bytes.subarray(0, this.#length);
  }

  #put(): void {
    if (this.#length === this.#bytes.length) {
      const grown = new Uint8Array(this.#length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[this.#length++] = this.#pending;
    this.#pending >>>= 8;
    this.#pendingBits -= 8;
  }
}

/** Header of an `ALPH` chunk, RFC 9649, 2.7.1.2: lossless coding, gradient filter. */
const HEAD = 0b1101;

/** Symbols of the green code: residuals, then prefixes of the lengths of copies. RFC 9649, 3.7.3. */
const LITERALS = 256;

const LENGTH_PREFIXES = 24;

const COPY = { least: 3, most: 4096 };

/** Short codes for common distances: the first are the pixel above and the pixel before. RFC 9649, 3.6.2.2. */
const ABOVE = 0;

const BEFORE = 1;

/**
 * Encodes the alpha of a raster as the body of a WebP file's `ALPH` chunk, lossless: RFC 9649, 3. After the gradient
 * filter a matte is nearly all runs of the values above or before, so the encoder searches for nothing else. Memory:
 * one byte per pixel.
 */
export function writeWebpAlpha(raster: Raster8): Bytes {
  const residuals = filtered(raster);
  const counts = new Array<number>(LITERALS + LENGTH_PREFIXES).fill(0);
  const count = (symbol: number) => {
    counts[symbol] = counts[symbol] + 1;
  };
  // A code of one symbol has another encoding.
  for (const symbol of [0, LITERALS - 1]) count(symbol);
  walk(residuals, raster.width, {
    literal: count,
    copy: (length) => count(LITERALS + getPrefix(length).symbol),
  });
  const code = prefixCodeFor(counts);
  const bits = new BitWriter();
  bits.write(HEAD, 8);
  writeHead(bits, code);
  const put = (symbol: number) => bits.write(code.codes[symbol], code.lengths[symbol]);
  walk(residuals, raster.width, {
    literal: put,
    copy(length, distance) {
      const { symbol, extra, extraBits } = getPrefix(length);
      put(LITERALS + symbol);
      bits.write(extra, extraBits);
      bits.write(distance, 1);
    },
  });
  return bits.finish();
}

/** Subtracts the gradient filter's prediction from each alpha: RFC 9649, 2.7.1.2. Uniform areas become 0. */
function filtered({ width, height, data }: Raster8): Uint8Array {
  const residuals = new Uint8Array(width * height);
  const up = width * 4;
  for (let y = 0, at = 3, pixel = 0; y < height; y++) {
    let left = y > 0 ? data[at - up] : 0;
    let aboveLeft = left;
    for (let x = 0; x < width; x++, at += 4, pixel++) {
      const own = data[at];
      const above = y > 0 ? data[at - up] : left;
      if (own !== left || above !== aboveLeft) {
        const slope = y > 0 ? left + above - aboveLeft : left;
        residuals[pixel] = own - (slope < 0 ? 0 : slope > 255 ? 255 : slope);
      }
      left = own;
      aboveLeft = above;
    }
  }
  return residuals;
}

interface Steps {
  literal(value: number): void;
  copy(length: number, distance: typeof ABOVE | typeof BEFORE): void;
}

/** Visits the values from first to last in the longest runs available. */
function walk(values: Uint8Array, width: number, steps: Steps): void {
  for (let at = 0; at < values.length; ) {
    const above = runLength(values, at, width);
    const before = above < COPY.most ? runLength(values, at, 1) : 0;
    const length = Math.max(above, before);
    if (length >= COPY.least) steps.copy(length, above >= before ? ABOVE : BEFORE);
    else steps.literal(values[at]);
    at += length >= COPY.least ? length : 1;
  }
}

/** Counts the values from `at` that equal those `distance` before them. */
function runLength(values: Uint8Array, at: number, distance: number): number {
  if (at < distance) return 0;
  const end = Math.min(values.length, at + COPY.most);
  let pixel = at;
  while (pixel < end && values[pixel] === values[pixel - distance]) pixel++;
  return pixel - at;
}

/** Returns a prefix and its extra bits: RFC 9649, 3.6.2.1. */
function getPrefix(length: number): { symbol: number; extra: number; extraBits: number } {
  const value = length - 1;
  if (value < 4) return { symbol: value, extra: 0, extraBits: 0 };
  const highest = 31 - Math.clz32(value);
  const extraBits = highest - 1;
  const second = (value >> extraBits) & 1;
  return { symbol: 2 * highest + second, extra: value & ((1 << extraBits) - 1), extraBits };
}

/** Writes the header before the image data: no transform, no colour cache, no code groups, and the five codes. */
function writeHead(bits: BitWriter, green: PrefixCode): void {
  bits.write(0, 3);
  writeCode(bits, green);
  // Red, blue and alpha are always 0: a simple code of one symbol, written in one bit.
  for (let channel = 0; channel < 3; channel++) bits.write(0b0001, 4);
  // There are two distances, 0 and 1: a simple code of two symbols, the second written in eight bits.
  bits.write(0b0011, 4);
  bits.write(BEFORE, 8);
}

/** Symbols whose code lengths come in the order of RFC 9649, 3.7.2.1.2, repetitions first. */
const LENGTH_SYMBOLS = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/** Writes a normal code: each symbol's length in four bits; repetitions would save next to nothing. */
function writeCode(bits: BitWriter, { lengths }: PrefixCode): void {
  bits.write(0, 1);
  bits.write(LENGTH_SYMBOLS.length - 4, 4);
  for (const symbol of LENGTH_SYMBOLS) bits.write(symbol < 16 ? 4 : 0, 3);
  bits.write(0, 1);
  // Sixteen codes of four bits are the numbers 0 to 15, highest bit first.
  for (const length of lengths) {
    bits.write(((length & 1) << 3) | ((length & 2) << 1) | ((length & 4) >> 1) | ((length & 8) >> 3), 4);
  }
}

/** Returns the best prefix code for symbols with these counts; at least two must occur. */
export function prefixCodeFor(counts: readonly number[]): PrefixCode {
  // A rarer symbol would get a code beyond the length limit: counting it as more frequent costs next to nothing.
  for (let least = 1; ; least *= 2) {
    const lengths = lengthsFor(counts.map((count) => (count > 0 ? Math.max(count, least) : 0)));
    if (lengths.every((length) => length <= LENGTH_MAX)) return { lengths, codes: getCodes(lengths) };
  }
}

/** Computes code lengths: D. A. Huffman, "A Method for the Construction of Minimum-Redundancy Codes", 1952. */
function lengthsFor(counts: readonly number[]): Uint8Array {
  let nodes = counts.flatMap((count, symbol) => (count > 0 ? [{ count, symbols: [symbol] }] : []));
  const lengths = new Uint8Array(counts.length);
  while (nodes.length > 1) {
    nodes = nodes.toSorted((one, other) => other.count - one.count);
    const [rare, rarer] = nodes.splice(-2);
    if (!rare || !rarer) break;
    const symbols = [...rare.symbols, ...rarer.symbols];
    for (const symbol of symbols) lengths[symbol] = lengths[symbol] + 1;
    nodes.push({ count: rare.count + rarer.count, symbols });
  }
  return lengths;
}

/** Assigns canonical codes: codes of one length are consecutive, shorter ones come first. */
function getCodes(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  for (let length = 1, code = 0; length <= LENGTH_MAX; length++, code <<= 1) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] === length) codes[symbol] = reversed(code++, length);
    }
  }
  return codes;
}

function reversed(code: number, length: number): number {
  let turned = 0;
  for (let bit = 0; bit < length; bit++) turned |= ((code >> bit) & 1) << (length - 1 - bit);
  return turned;
}

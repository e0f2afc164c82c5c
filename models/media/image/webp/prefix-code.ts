/** Prefix code as WebP stores it: RFC 9649, 3.7.2. */
export interface PrefixCode {
  /** Code length of each symbol in bits, 0 for unused symbols. */
  readonly lengths: Uint8Array;
  /** Code of each symbol, first bit lowest. */
  readonly codes: Uint16Array;
}

const LENGTH_MAX = 15;

/** Returns the best prefix code for symbols with these counts; at least two must occur. */
export function prefixCodeFor(counts: readonly number[]): PrefixCode {
  // A rarer symbol would get a code beyond the length limit: counting it as more frequent costs next to nothing.
  for (let least = 1; ; least *= 2) {
    const lengths = lengthsFor(counts.map((count) => (count > 0 ? Math.max(count, least) : 0)));
    if (lengths.every((length) => length <= LENGTH_MAX)) return { lengths, codes: codesOf(lengths) };
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
function codesOf(lengths: Uint8Array): Uint16Array {
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

/** A prefix code as WebP writes it: RFC 9649, 3.7.2. */
export interface PrefixCode {
  /** Bits of each symbol's code, 0 for those that never come. */
  readonly lengths: Uint8Array;
  /** Each symbol's code, its first bit lowest. */
  readonly codes: Uint16Array;
}

const LENGTH_MAX = 15;

/** The best prefix code for symbols that come so often; at least two of them must come. */
export function prefixCodeFor(counts: readonly number[]): PrefixCode {
  // What is rarer than this share has longer codes than there may be: taken for more frequent, it costs next to nothing.
  for (let least = 1; ; least *= 2) {
    const lengths = lengthsFor(counts.map((count) => (count > 0 ? Math.max(count, least) : 0)));
    if (lengths.every((length) => length <= LENGTH_MAX)) return { lengths, codes: codesOf(lengths) };
  }
}

/** D. A. Huffman, "A Method for the Construction of Minimum-Redundancy Codes", 1952. */
function lengthsFor(counts: readonly number[]): Uint8Array {
  let nodes = counts.flatMap((count, symbol) => (count > 0 ? [{ count, symbols: [symbol] }] : []));
  const lengths = new Uint8Array(counts.length);
  while (nodes.length > 1) {
    nodes = nodes.toSorted((one, other) => other.count - one.count);
    const [rare, rarer] = nodes.splice(-2);
    if (!rare || !rarer) break;
    const symbols = [...rare.symbols, ...rarer.symbols];
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] as number) + 1;
    nodes.push({ count: rare.count + rarer.count, symbols });
  }
  return lengths;
}

/** Codes of one length follow one another, and shorter ones come first. */
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

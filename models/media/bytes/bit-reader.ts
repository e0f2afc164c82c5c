import type { Bytes } from './byte-writer.ts';

/** Longest code that is read; no valid parameter set has one. */
const ZEROS_MAX = 31;

/** Reader of bits, the most significant of a byte first. Behind the end all are 0. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get hasEnded(): boolean {
    return this.#at >= this.#bytes.length * 8;
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3] ?? 0;
    return (byte >> (7 - (this.#at++ & 7))) & 1;
  }

  /** Reads a whole number of up to 32 bits. */
  bits(count: number): number {
    let value = 0;
    for (let at = 0; at < count; at++) value = value * 2 + this.bit();
    return value;
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** Reads an Exp-Golomb code: ITU-T H.264, 9.1. */
  code(): number {
    let zeros = 0;
    while (zeros < ZEROS_MAX && !this.hasEnded && this.bit() === 0) zeros += 1;
    return 2 ** zeros + this.bits(zeros) - 1;
  }

  /** Reads a signed Exp-Golomb code: ITU-T H.264, 9.1.1. */
  signedCode(): number {
    const code = this.code();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}

/** Removes the 03 of each 00 00 03: ITU-T H.264, 7.4.1, and H.265, 7.4.2. */
export function withoutEmulationPrevention(unit: Uint8Array): Bytes {
  return new Uint8Array(unit.filter((byte, at) => !(byte === 3 && unit[at - 1] === 0 && unit[at - 2] === 0)));
}

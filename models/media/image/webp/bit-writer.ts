import type { Bytes } from '../../bytes/byte-writer.ts';

/** Writer of consecutive bits, lowest bit of each byte first: RFC 9649, 3.2. */
export class BitWriter {
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

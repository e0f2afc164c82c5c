import { frameCountOf, type PcmChunk } from '../../core/runtime/pcm.ts';

/** Stereo samples that wait, in order. */
export class SampleQueue {
  #chunks: PcmChunk[] = [];
  /** Samples of the first chunk that are gone. */
  #gone = 0;
  #length = 0;

  /** Samples that wait. */
  get length(): number {
    return this.#length;
  }

  push(chunk: PcmChunk): void {
    if (frameCountOf(chunk) === 0) return;
    this.#chunks.push(chunk);
    this.#length += frameCountOf(chunk);
  }

  /** Takes the first `count` samples, or all if there are fewer. */
  take(count: number): PcmChunk {
    const taken = this.copy(0, Math.min(count, this.#length));
    this.drop(count);
    return taken;
  }

  /** Drops the first `count` samples. */
  drop(count: number): void {
    let rest = Math.min(count, this.#length);
    this.#length -= rest;
    while (rest > 0) {
      const here = frameCountOf(this.#chunks[0]) - this.#gone;
      if (rest < here) {
        this.#gone += rest;
        return;
      }
      rest -= here;
      this.#gone = 0;
      this.#chunks.shift();
    }
  }

  /** Copies samples, with silence where there are none. @param start may lie before the first sample */
  copy(start: number, length: number): PcmChunk {
    const copies = [new Float32Array(length), new Float32Array(length)];
    let at = -this.#gone - start;
    for (const [number, chunk] of this.#chunks.entries()) {
      const count = frameCountOf(chunk);
      const from = Math.max(-at, number === 0 ? this.#gone : 0);
      const until = Math.min(count, length - at);
      if (from < until) {
        copies.forEach((copy, channel) => {
          copy.set((chunk[channel] as Float32Array).subarray(from, until), at + from);
        });
      }
      at += count;
      if (at >= length) break;
    }
    return copies;
  }
}

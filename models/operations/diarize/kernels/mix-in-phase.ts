import { frameCountOf, type PcmChunk } from '../../../core/runtime/pcm.ts';

/** Time over which the phase of the two channels is judged again. */
const BLOCK_SECONDS = 0.05;
/** Time in which what was heard fades by a factor of e. */
const FALL_SECONDS = 1;
/** Correlation below which the right channel counts as inverted, and above which it no longer does. */
const INVERTED = { below: -0.5, above: -0.2 };

/**
 * Mixes the channels of a stream to mono, as the mean of both: of half their difference while one is the other's
 * inverse, which the mean would cancel. It judges by the correlation of the last second, and crosses over in a block.
 */
export class InPhaseMix {
  readonly #blockFrames: number;
  readonly #fall: number;
  #left = 0;
  #right = 0;
  #both = 0;
  /** Factor of the right channel, 1 or -1; 0 before the first block. */
  #sign = 0;

  constructor(sampleRate: number) {
    this.#blockFrames = Math.round(BLOCK_SECONDS * sampleRate);
    this.#fall = Math.exp(-BLOCK_SECONDS / FALL_SECONDS);
  }

  /** Returns the next frames as one channel. @param chunk one or two channels */
  push(chunk: PcmChunk): Float32Array<ArrayBuffer> {
    const [left = new Float32Array(0), right] = chunk;
    if (!right) return left;
    const mixed = new Float32Array(frameCountOf(chunk));
    for (let start = 0; start < mixed.length; start += this.#blockFrames) {
      const end = Math.min(mixed.length, start + this.#blockFrames);
      this.#hear(left.subarray(start, end), right.subarray(start, end));
      const before = this.#sign;
      this.#sign = this.#judge();
      const from = before || this.#sign;
      for (let at = start; at < end; at++) {
        const factor = from + ((this.#sign - from) * (at - start)) / (end - start);
        mixed[at] = (left[at] + factor * right[at]) / 2;
      }
    }
    return mixed;
  }

  #hear(left: Float32Array, right: Float32Array): void {
    let [lefts, rights, boths] = [0, 0, 0];
    for (let at = 0; at < left.length; at++) {
      const [l, r] = [left[at], right[at]];
      lefts += l * l;
      rights += r * r;
      boths += l * r;
    }
    this.#left = this.#left * this.#fall + lefts;
    this.#right = this.#right * this.#fall + rights;
    this.#both = this.#both * this.#fall + boths;
  }

  #judge(): number {
    const scale = Math.sqrt(this.#left * this.#right);
    const correlation = scale > 0 ? this.#both / scale : 0;
    return correlation < (this.#sign < 0 ? INVERTED.above : INVERTED.below) ? -1 : 1;
  }
}

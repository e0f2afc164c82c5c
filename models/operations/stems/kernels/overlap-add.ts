import type { PcmChunk } from '../../../core/runtime/pcm.ts';

/** Returns weights that rise to 1 in the middle and fall again: 1/h, 2/h, ..., 1, ..., 1/h. */
export function triangularWeights(length: number): Float32Array<ArrayBuffer> {
  const half = Math.floor(length / 2);
  const peak = length - half;
  return Float32Array.from({ length }, (_, at) => (at < half ? at + 1 : length - at) / peak);
}

/**
 * Sum of overlapping pieces, weighted, and divided by the sum of their weights. Pieces arrive in order of their start.
 */
export class OverlapAdd {
  readonly #weights: Float32Array;
  readonly #sums: Float32Array<ArrayBuffer>[];
  readonly #weightSums: Float32Array<ArrayBuffer>;

  /** @param weights of a piece, above 0; their number is the longest piece */
  constructor(channelCount: number, weights: Float32Array) {
    this.#weights = weights;
    this.#sums = Array.from({ length: channelCount }, () => new Float32Array(weights.length));
    this.#weightSums = new Float32Array(weights.length);
  }

  /**
   * Adds a piece at the current position, and moves on.
   * @param count samples that no later piece reaches: the distance to the next one
   * @returns those samples
   */
  add(piece: readonly Float32Array[], count: number): PcmChunk {
    const length = piece[0]?.length ?? 0;
    for (let at = 0; at < length; at++) {
      this.#weightSums[at] = this.#weightSums[at] + this.#weights[at];
    }
    const done = this.#sums.map((sum, channel) => {
      const samples = piece[channel];
      for (let at = 0; at < length; at++) {
        sum[at] = sum[at] + samples[at] * this.#weights[at];
      }
      const part = sum.slice(0, count);
      for (let at = 0; at < count; at++) part[at] = part[at] / this.#weightSums[at];
      return part;
    });
    for (const sum of [...this.#sums, this.#weightSums]) {
      sum.copyWithin(0, count);
      sum.fill(0, sum.length - count);
    }
    return done;
  }
}

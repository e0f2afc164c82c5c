const BITS = 4;
const BINS = 1 << BITS;
/** Offsets between neighbouring bins: blue, green, red. */
const STEPS = [1, BINS, BINS * BINS] as const;
/** Share of the total count, spread over all colours: an unseen colour is rare, not impossible. */
const UNSEEN_SHARE = 0.02;

/**
 * Colour likelihood by a smoothed histogram: Y. Boykov, M.-P. Jolly, "Interactive Graph Cuts for Optimal Boundary &
 * Region Segmentation of Objects in N-D Images", ICCV 2001, with colours in place of greys.
 */
export class ColourModel {
  readonly #counts = new Float32Array(BINS ** 3);
  #logs: Float32Array | undefined;

  /**
   * Counts one colour.
   * @param colours red, green, blue, 0 to 1, interleaved
   * @param pixel index of the pixel
   */
  add(colours: Float32Array, pixel: number, weight: number): void {
    const bin = binOf(colours, pixel);
    this.#counts[bin] = this.#counts[bin] + weight;
  }

  /** Returns the log-likelihood of a colour. Call after the last `add`. */
  logOf(colours: Float32Array, pixel: number): number {
    this.#logs ??= logsOf(this.#counts);
    return this.#logs[binOf(colours, pixel)];
  }
}

function binOf(colours: Float32Array, pixel: number): number {
  const level = (channel: number) => Math.min(BINS - 1, Math.floor(colours[pixel * 3 + channel] * BINS));
  return (level(0) << (2 * BITS)) | (level(1) << BITS) | level(2);
}

function logsOf(counts: Float32Array): Float32Array {
  let smooth = counts;
  for (const step of STEPS) smooth = smoothAlong(smooth, step);
  const total = smooth.reduce((sum, value) => sum + value, 0) || 1;
  return smooth.map((value) => Math.log((value / total) * (1 - UNSEEN_SHARE) + UNSEEN_SHARE / counts.length));
}

/** Smooths along one axis: a quarter of each bin moves to either neighbour; at the ends it stays. */
function smoothAlong(counts: Float32Array, step: number): Float32Array {
  return counts.map((value, bin) => {
    const level = Math.floor(bin / step) % BINS;
    const below = level > 0 ? counts[bin - step] : value;
    const above = level < BINS - 1 ? counts[bin + step] : value;
    return value / 2 + (below + above) / 4;
  });
}

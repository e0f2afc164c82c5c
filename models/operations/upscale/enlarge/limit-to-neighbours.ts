/** Samples of one kind, row by row. */
interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/**
 * Limits each sample of an enlarged plane, in place, to the least and the greatest of the 3 x 3 samples around its
 * origin: beside a hard edge, a network swings out above and below both sides of it.
 * @param enlarged `source`, a whole factor larger
 * @param isLimited says of each sample of the source whether what comes from it is limited; all when absent
 */
export function limitToNeighbours(
  enlarged: Float32Array,
  source: Plane,
  factor: number,
  isLimited?: Uint8Array,
): void {
  const { width, height } = source;
  const least = extremes(source, Math.min);
  const greatest = extremes(source, Math.max);
  for (let y = 0, at = 0; y < height * factor; y++) {
    const row = Math.floor(y / factor) * width;
    for (let x = 0; x < width; x++) {
      if (isLimited && !isLimited[row + x]) {
        at += factor;
        continue;
      }
      const low = least[row + x];
      const high = greatest[row + x];
      for (let step = 0; step < factor; step++, at++) {
        const value = enlarged[at];
        enlarged[at] = value < low ? low : value > high ? high : value;
      }
    }
  }
}

/** Returns the extreme of the 3 x 3 samples around each: of rows, then of columns. */
function extremes(source: Plane, extreme: (...values: number[]) => number): Float32Array {
  const { width, height } = source;
  const across = new Float32Array(source.data.length);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const before = x > 0 ? at - 1 : at;
      const after = x < width - 1 ? at + 1 : at;
      across[at] = extreme(source.data[before], source.data[at], source.data[after]);
    }
  }
  const around = new Float32Array(across.length);
  for (let at = 0; at < across.length; at++) {
    const above = at >= width ? at - width : at;
    const below = at + width < across.length ? at + width : at;
    around[at] = extreme(across[above], across[at], across[below]);
  }
  return around;
}

/** Part of a line of samples that is computed at once. */
export interface Tile {
  readonly start: number;
  /**
   * Samples, equal for all tiles of a line, so that a graph is compiled for one shape; the last tile may end beyond the
   * line.
   */
  readonly length: number;
  /** Samples of the tile that are within the line. */
  readonly used: number;
}

/**
 * Divides a line evenly into tiles.
 * @param length of the line, in samples
 * @param sideMax longest tile, in samples
 * @param multipleOf divisor of all starts and lengths; of `sideMax`, too
 */
export function getTiles(length: number, sideMax: number, multipleOf = 1): readonly Tile[] {
  const count = Math.ceil(length / sideMax);
  const side = Math.ceil(length / count / multipleOf) * multipleOf;
  return Array.from({ length: Math.ceil(length / side) }, (_, index) => {
    const start = index * side;
    return { start, length: side, used: Math.min(side, length - start) };
  });
}

/** Part of a line of samples that is computed at once. */
export interface Tile {
  /** First sample of the part. */
  readonly start: number;
  /** Samples of the part: the same for all tiles of a line. */
  readonly length: number;
  /** First sample that counts: the samples before it are those of the tile before. */
  readonly from: number;
}

/**
 * Covers a line with tiles of one length. The last one moves back into the line, since a graph that sees a new shape
 * is compiled anew, so it overlaps the tile before.
 * @param length of the line, in samples
 * @param side longest tile, in samples
 */
export function tilesOf(length: number, side: number): readonly Tile[] {
  const most = Math.min(length, side);
  return Array.from({ length: Math.ceil(length / most) }, (_, index) => {
    const from = index * most;
    return { start: Math.min(from, length - most), length: most, from };
  });
}

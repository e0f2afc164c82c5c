/** Place of the line between before and after, as a share of the width. */
export const MIDDLE = 0.5;
/** Largest distance of the line from the middle, as a share of the width. */
const SWING = 0.45;

/** Returns the place of the line at a share of a video: from the middle, across and back. */
export function splitAt(fraction: number): number {
  return MIDDLE + SWING * Math.sin(2 * Math.PI * fraction);
}

import type { FloatImage } from '../raster.ts';

export type MatteQuality = 'high' | 'medium' | 'low';

/** Doubt per area of subject below which a matte is called high, and medium. */
const HIGH_BELOW = 0.12;
const MEDIUM_BELOW = 0.3;

/**
 * How certain a network was, from its own matte: a place counts as doubtful by `4 p (1 - p)`, which is 1 where it could
 * not decide. Every edge is a little soft, so some doubt is in the best of mattes; a matte that is grey over large parts
 * of its subject, or has none, is a guess.
 * @param matte one channel, 0 to 1
 */
export function matteQuality({ data }: FloatImage): MatteQuality {
  let doubt = 0;
  let area = 0;
  for (const opacity of data) {
    doubt += 4 * opacity * (1 - opacity);
    area += opacity;
  }
  const share = area > 0 ? doubt / area : Number.POSITIVE_INFINITY;
  if (share < HIGH_BELOW) return 'high';
  return share < MEDIUM_BELOW ? 'medium' : 'low';
}

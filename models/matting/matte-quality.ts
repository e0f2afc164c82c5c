import type { FloatImage } from '../core/runtime/raster.ts';

export type MatteQuality = 'high' | 'medium' | 'low';

/** Part of a cutout that is most likely wrong: its inside, its outline, or what was taken for the subject. */
export type MatteDoubt = 'inside' | 'outline' | 'subject';

export interface MatteJudgement {
  readonly quality: MatteQuality;
  /** Null for a high quality. */
  readonly doubt: MatteDoubt | null;
}

/** Change up to which a matte is high, and medium. */
const HIGH_UP_TO = 0.035;
const MEDIUM_UP_TO = 0.1;
const SOLID = 0.5;
/** Share of solid pixels that completion took away from which it is unclear what the subject is. */
const UNCLEAR_FROM = 0.1;

/**
 * Rates a model's certainty by how much of its matte had to change to be one that a subject can have. On 18 images with
 * truth (14 of DAVIS 2016) that ranks mattes of `matte` and U²-Net small by whether their IoU reaches 0.7 with an area
 * under the curve of 0.89 (0.86 and 1.00 each), on 11 pets with 0.84. With these limits mattes of high quality have a
 * median IoU of 0.97, low ones of 0.56. A matte without a subject is a guess, and low.
 * @param found matte of the model: one channel, 0 to 1
 * @param completed the same matte after `completeMatte`
 */
export function judgeMatte({ data: found }: FloatImage, { data: completed }: FloatImage): MatteJudgement {
  const sums = { found: 0, raised: 0, lowered: 0, solid: 0, lost: 0, kept: 0 };
  for (let pixel = 0; pixel < found.length; pixel++) {
    const before = found[pixel];
    const after = completed[pixel];
    sums.found += before;
    if (after > before) sums.raised += after - before;
    else sums.lowered += before - after;
    if (after >= SOLID) sums.kept += 1;
    if (before < SOLID) continue;
    sums.solid += 1;
    if (after < SOLID) sums.lost += 1;
  }
  if (sums.kept === 0) return { quality: 'low', doubt: 'subject' };
  const change = (sums.raised + sums.lowered) / sums.found;
  if (change <= HIGH_UP_TO) return { quality: 'high', doubt: null };
  const isUnclear = sums.lost > UNCLEAR_FROM * sums.solid;
  const doubt = isUnclear ? 'subject' : sums.raised > sums.lowered ? 'inside' : 'outline';
  return { quality: change <= MEDIUM_UP_TO ? 'medium' : 'low', doubt };
}

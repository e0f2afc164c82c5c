import type { FloatImage } from '../runtime/raster.ts';

export type MatteQuality = 'high' | 'medium' | 'low';

/** Threshold far on the subject's side, and one far on the background's side. */
const STRICT = 0.7;
const LAX = 0.3;
/** Stability from which a matte is high, and medium. */
const HIGH_FROM = 0.95;
const MEDIUM_FROM = 0.875;

/**
 * Rates a model's certainty from its own matte: how little the subject shrinks when the threshold moves from lax to
 * strict, as the intersection over union of both cuts. That is the "stability score" of A. Kirillov et al., "Segment
 * Anything", ICCV 2023. A matte without a subject is a guess, and low. The limits are those of our own model, after
 * all its looks, on the 68 images held out of its training (training/matte): 17 low ones had a mean IoU of
 * 0.70 with the truth, 21 medium ones 0.85, 30 high ones 0.97 (at least 0.90).
 * @param matte one channel, 0 to 1
 */
export function matteQuality({ data }: FloatImage): MatteQuality {
  let strict = 0;
  let lax = 0;
  for (let place = 0; place < data.length; place++) {
    const opacity = data[place] as number;
    if (opacity > LAX) lax += 1;
    if (opacity > STRICT) strict += 1;
  }
  const stability = lax > 0 ? strict / lax : 0;
  if (stability >= HIGH_FROM) return 'high';
  return stability >= MEDIUM_FROM ? 'medium' : 'low';
}

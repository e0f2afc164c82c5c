import type { FloatImage } from '../../../core/runtime/raster.ts';
import { boxMean } from '../../../kernels/raster/box-mean.ts';
import type { FillLevel } from './fill-level.ts';
import { spreadFromBorder } from './spread-from-border.ts';

/** Share of the longer side over which a box averages colours. */
const REACH_SHARE = 1 / 40;
/** Difference of colours, of 255, from which they are of different things and do not fade into each other. */
const LIKENESS = 30;

/**
 * Returns the tone that each pixel is expected to have: known colours, and those of the border elsewhere, blurred. A
 * smooth continuation is nearest to the truth in the mean, although it shows nothing.
 * @returns red, green and blue of the level, 0 to 255
 */
export function expectedColours(level: FillLevel): FloatImage {
  const { width, height, colours } = level;
  const image = { width, height, channels: 3, data: colours.slice() };
  spreadFromBorder(level, image, LIKENESS);
  return getTone(image);
}

/** Returns what an image shows without its detail: blurred twice by box, which is nearly a Gaussian. */
export function getTone(image: FloatImage): FloatImage {
  const reach = Math.max(1, Math.round(REACH_SHARE * Math.max(image.width, image.height)));
  return boxMean(boxMean(image, reach), reach);
}

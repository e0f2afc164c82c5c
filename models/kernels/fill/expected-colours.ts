import type { FloatImage } from '../../runtime/raster.ts';
import { boxMean } from '../raster/box-mean.ts';
import { clamp, type FillLevel } from './fill-level.ts';

/** Share of the longer side over which a box averages colours. */
const REACH_SHARE = 1 / 40;

/**
 * Returns the tone that each pixel is expected to have: known colours, and those of the nearest known pixel elsewhere,
 * blurred. A smooth continuation is nearest to the truth in the mean, although it shows nothing.
 * @returns red, green and blue of the level, 0 to 255
 */
export function expectedColours({ width, height, kept, colours }: FillLevel): FloatImage {
  const data = new Float32Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    const row = clamp(y, kept.top, kept.top + kept.height - 1) * width;
    for (let x = 0; x < width; x++, to += 3) {
      const from = (row + clamp(x, kept.left, kept.left + kept.width - 1)) * 3;
      data[to] = colours[from] as number;
      data[to + 1] = colours[from + 1] as number;
      data[to + 2] = colours[from + 2] as number;
    }
  }
  return toneOf({ width, height, channels: 3, data });
}

/** Returns what an image shows without its detail: blurred twice by box, which is nearly a Gaussian. */
export function toneOf(image: FloatImage): FloatImage {
  const reach = Math.max(1, Math.round(REACH_SHARE * Math.max(image.width, image.height)));
  return boxMean(boxMean(image, reach), reach);
}

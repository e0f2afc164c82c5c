import type { FloatImage } from '../../../core/runtime/raster.ts';
import { boxMean } from '../../../kernels/raster/box-mean.ts';
import { type Canvas, clamp, distanceOutside, type FillLevel, forEachUnknownRun } from './fill-level.ts';

/** Share of the longer side over which a box averages colours. */
const REACH_SHARE = 1 / 40;
/** Difference of colours, of 255, from which they are of different things and do not fade into each other. */
const LIKENESS = 30;
/** Reach along the border for each pixel of distance from it: what lies far out has to do with a longer part of it. */
const REACH_PER_DISTANCE = 0.5;

/**
 * Gives each unknown pixel of a canvas what the border next to it has, in place: at the border itself the value of the
 * nearest known pixel, and farther out the mean over an ever longer part of the border. So it fades instead of ending
 * in streaks. Only like neighbours are averaged (Dammertz et al., "Edge-Avoiding À-Trous Wavelet Transform", HPG 2010):
 * what differs from what stands next to it goes on.
 * @param image values of the canvas; those of known pixels count
 * @param likeness difference of two values over all channels from which they count as little alike
 */
export function spreadFromBorder({ kept }: Canvas, image: FloatImage, likeness: number): void {
  const { width, height, channels, data } = image;
  const ring = borderRing(image, kept);
  const smoothed = [ring];
  forEachUnknownRun({ width, height, kept }, (y, from, to) => {
    for (let x = from; x < to; x++) {
      const { across, down } = distanceOutside({ width, height, kept }, x, y);
      const scale = Math.log2(1 + REACH_PER_DISTANCE * Math.max(across, down));
      const step = Math.floor(scale);
      while (smoothed.length < step + 2) {
        smoothed.push(smoothRing(smoothed[smoothed.length - 1], channels, smoothed.length, likeness));
      }
      const [fine, coarse] = [smoothed[step], smoothed[step + 1]];
      const at = ringIndex(kept, x, y) * channels;
      for (let channel = 0; channel < channels; channel++) {
        const value = fine[at + channel];
        data[(y * width + x) * channels + channel] = value + (scale - step) * (coarse[at + channel] - value);
      }
    }
  });
}

/** Returns the values along the border of the known pixels, clockwise from the upper left corner. */
function borderRing(
  { width, channels, data }: FloatImage,
  { left, top, ...kept }: Canvas['kept'],
): Float32Array {
  const [right, bottom] = [kept.width - 1, kept.height - 1];
  const length = Math.max(1, 2 * (right + bottom));
  const ring = new Float32Array(length * channels);
  for (let at = 0; at < length; at++) {
    const x = Math.min(at, right) - clamp(at - right - bottom, 0, right);
    const y = clamp(at - right, 0, bottom) - Math.max(0, at - 2 * right - bottom);
    const from = ((top + y) * width + left + x) * channels;
    ring.set(data.subarray(from, from + channels), at * channels);
  }
  return ring;
}

/** Returns the place in the ring of the known pixel that is nearest to one outside. */
function ringIndex(kept: Canvas['kept'], outsideX: number, outsideY: number): number {
  const [right, bottom] = [kept.width - 1, kept.height - 1];
  const x = clamp(outsideX - kept.left, 0, right);
  const y = clamp(outsideY - kept.top, 0, bottom);
  if (y === 0) return x;
  if (x === right) return right + y;
  if (y === bottom) return 2 * right + bottom - x;
  return 2 * (right + bottom) - y;
}

/** Returns the ring with each value averaged with the two like ones at a distance that doubles with each round. */
function smoothRing(ring: Float32Array, channels: number, round: number, likeness: number): Float32Array {
  const distance = 2 ** (round - 1);
  const length = ring.length / channels;
  const smooth = ring.slice();
  for (let at = 0; at < length; at++) {
    const here = at * channels;
    let total = 1;
    for (const side of [-distance, distance]) {
      const there = ((((at + side) % length) + length) % length) * channels;
      let squares = 0;
      for (let channel = 0; channel < channels; channel++) {
        squares += (ring[there + channel] - ring[here + channel]) ** 2;
      }
      const weight = 0.5 * Math.exp(-squares / likeness ** 2);
      total += weight;
      for (let channel = 0; channel < channels; channel++) {
        smooth[here + channel] = smooth[here + channel] + weight * ring[there + channel];
      }
    }
    for (let channel = 0; channel < channels; channel++) {
      smooth[here + channel] = smooth[here + channel] / total;
    }
  }
  return smooth;
}

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

import type { Raster8 } from '../../core/runtime/raster.ts';

/** Ratio that two equal rasters get, in dB: each colour differs by less than a half step of 8 bits. */
const DECIBELS_MAX = 54;

/**
 * Returns the peak signal-to-noise ratio of the colours of two rasters, in dB.
 * @returns 0 where their sizes differ
 */
export function colourNoise(one: Raster8, other: Raster8): number {
  if (one.width !== other.width || one.height !== other.height) return 0;
  const pixels = one.width * one.height;
  let error = 0;
  for (let at = 0; at < pixels * 4; at++) {
    if (at % 4 !== 3) error += (one.data[at] - other.data[at]) ** 2;
  }
  const mean = error / (3 * pixels * 255 ** 2);
  return Math.min(DECIBELS_MAX, -10 * Math.log10(mean));
}

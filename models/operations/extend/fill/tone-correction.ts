import type { FloatImage } from '../../../core/runtime/raster.ts';
import { expectedColours, toneOf } from './expected-colours.ts';
import { type FillLevel, forEachUnknownRun } from './fill-level.ts';

/** Largest correction, of 255: a stronger one would show as a halo around what differs on purpose. */
const CORRECTION_MAX = 20;

/**
 * Returns what to add to copied colours so that their tone does not drift away from the expected one. Detail stays.
 * @param sources places in the level that unknown pixels copy; -1 for known ones
 * @returns red, green and blue of the level, -20 to 20 of 255; smooth
 */
export function toneCorrection(level: FillLevel, sources: Int32Array): FloatImage {
  const { width, height } = level;
  const copied = level.colours.slice();
  forEachUnknownRun(level, (y, from, to) => {
    for (let place = y * width + from; place < y * width + to; place++) {
      const source = sources[place] * 3;
      copied.set(level.colours.subarray(source, source + 3), place * 3);
    }
  });
  const tone = toneOf({ width, height, channels: 3, data: copied }).data;
  const correction = expectedColours(level);
  correction.data.forEach((wanted, at) => {
    correction.data[at] = CORRECTION_MAX * Math.tanh((wanted - tone[at]) / CORRECTION_MAX);
  });
  return correction;
}

import type { FloatImage } from '../../../core/runtime/raster.ts';
import { boxMean } from '../../../kernels/raster/box-mean.ts';
import type { Canvas } from './fill-level.ts';
import { spreadFromBorder } from './spread-from-border.ts';

/** Difference of two deviations, of 255, from which a smooth place and a rough one do not fade into each other. */
const LIKENESS = 15;

/**
 * Measures how much detail known pixels have around them, and how much unknown ones should have beside such a border.
 * @param known red, green and blue, 0 to 255, of the kept pixels
 * @param radius of the patches, in pixels
 * @returns standard deviation of luma in a patch, 0 to 128, for each pixel of the canvas
 */
export function expectedDetail(canvas: Canvas, known: FloatImage, radius: number): Float32Array<ArrayBuffer> {
  const { width, height, kept } = canvas;
  const size = { width: kept.width, height: kept.height, channels: 2 };
  const moments = new Float32Array(kept.width * kept.height * 2);
  for (let at = 0; at < kept.width * kept.height; at++) {
    const [red, green, blue] = known.data.subarray(at * 3, at * 3 + 3) as unknown as [number, number, number];
    // About the middle grey, where squares keep their digits.
    const luma = 0.299 * red + 0.587 * green + 0.114 * blue - 128;
    moments[at * 2] = luma;
    moments[at * 2 + 1] = luma * luma;
  }
  const means = boxMean({ ...size, data: moments }, radius).data;
  const detail = { width, height, channels: 1, data: new Float32Array(width * height) };
  for (let y = 0, at = 0; y < kept.height; y++) {
    const row = (kept.top + y) * width + kept.left;
    for (let x = 0; x < kept.width; x++, at++) {
      const variance = means[at * 2 + 1] - means[at * 2] ** 2;
      detail.data[row + x] = Math.sqrt(Math.max(0, variance));
    }
  }
  spreadFromBorder(canvas, detail, LIKENESS);
  return detail.data;
}

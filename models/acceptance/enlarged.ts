import type { AcceptanceTask } from '../core/runtime/acceptance-test.ts';
import type { Raster8 } from '../core/runtime/raster.ts';
import { cropRaster } from '../kernels/raster/crop.ts';
import { resizeRaster } from '../kernels/raster/resize.ts';
import { encodeRaster, readRaster } from '../media/image/raster-files.ts';

/** Ratio that two equal rasters get, in dB: each colour differs by less than a half step of 8 bits. */
const DECIBELS_MAX = 54;
/** Factors that an engine may reach by different networks. */
const SCALES = [2, 4];
/** Pixels at each border that are not compared: there the reduction saw less. */
const BORDER = 4;

/** Measures enlargement: reduces a patch, enlarges it again, and compares the colours; the mean PSNR in dB. */
export async function measureFigure({ engine, sample, run, time, runtime }: AcceptanceTask): Promise<number> {
  const original = await readRaster(await sample('patch.jpg'), runtime);
  const { images, signal } = runtime;
  let decibels = 0;
  for (const scale of SCALES) {
    const small = resizeRaster(original, original.width / scale, original.height / scale);
    const input = await encodeRaster(small, { format: 'png' }, { images, signal });
    // A network's work grows with the pixels of its result.
    const megapixels = (original.width * original.height) / 1e6;
    const files = await time(megapixels, () => run(input.blob, { model: engine, scale }));
    const [enlarged] = files.values();
    if (!enlarged) return 0;
    const result = await readRaster(enlarged, runtime);
    decibels += colourNoise(inner(original), inner(result));
  }
  return decibels / SCALES.length;
}

function inner(raster: Raster8): Raster8 {
  const [width, height] = [raster.width - 2 * BORDER, raster.height - 2 * BORDER];
  return { width, height, data: cropRaster(raster, { left: BORDER, top: BORDER, width, height }, 'rgba') };
}

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

import type { AcceptanceTask } from '../../core/runtime/acceptance-test.ts';
import type { Raster8 } from '../../core/runtime/raster.ts';
import { cropRaster } from '../../kernels/raster/crop-raster.ts';
import { resizeRaster } from '../../kernels/resize/resize.ts';
import { encodeRaster } from '../../media/image/encode-raster.ts';
import { readRaster } from '../../media/image/read-raster.ts';
import { colourNoise } from '../scores/colour-noise.ts';

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

import type { AcceptanceTask } from '../core/runtime/acceptance-test.ts';
import type { Raster8 } from '../core/runtime/raster.ts';
import { cropRaster } from '../kernels/raster/crop.ts';
import { resizeRaster } from '../kernels/raster/resize.ts';
import { encodeRaster, readRaster } from '../media/image/raster-files.ts';
import { colourNoise } from './enlarged.ts';

/** Share of a side that is cut off on each side, and painted again. */
const MARGIN = 0.125;
/** Reduction at which colours are compared: detail may differ. */
const REDUCTION = 8;
const SEED = 1;

/** Measures extension: cuts a picture's border off, and compares what is painted there; PSNR of its colours in dB. */
export async function measureFigure({ engine, sample, run, time, runtime }: AcceptanceTask): Promise<number> {
  const original = await readRaster(await sample('empty.jpg'), runtime);
  const across = Math.round(original.width * MARGIN);
  const down = Math.round(original.height * MARGIN);
  const region = {
    left: across,
    top: down,
    width: original.width - 2 * across,
    height: original.height - 2 * down,
  };
  const { images, signal } = runtime;
  const inner = { width: region.width, height: region.height, data: cropRaster(original, region, 'rgba') };
  const cut = await encodeRaster(inner, { format: 'png' }, { images, signal });
  const margins = { expand_left: across, expand_right: across, expand_top: down, expand_bottom: down };
  const params = { ...margins, engine, seed: SEED, enable_safety_checker: false };
  // Nearly all of the time goes into what is painted at a fixed size: a megapixel takes hardly longer.
  const files = await time(1, () => run(cut.blob, params));
  const [extended] = files.values();
  if (!extended) return 0;
  const result = await readRaster(extended, runtime);
  const reduced = (raster: Raster8) =>
    resizeRaster(raster, Math.round(original.width / REDUCTION), Math.round(original.height / REDUCTION));
  return colourNoise(reduced(original), reduced(result));
}

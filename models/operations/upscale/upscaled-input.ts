import type { Raster } from '../../core/runtime/raster.ts';
import { measureGraphics } from '../../kernels/raster/measure-graphics.ts';
import { isDrawing } from '../../media/image/quality/graphics-coding.ts';
import { measureDegradation } from './enlarge/measure-degradation.ts';

/** Kind of input, which decides which model is the best. */
export type UpscaledInput = 'image' | 'drawing' | 'degraded image' | 'video';

/**
 * Thresholds above which an image counts as degraded, in grey levels: where the restoring network lowers the error of
 * gradients on most photographs that were held out of its training. Of blocking, clean ones have at most 0.2, JPEG of
 * quality 80 has 0.5 on average and that of quality 60 has 1. Of grain, clean ones but for one of fine texture have at
 * most 2, and noise of a deviation of 6 has 3.3. `lab/training/upscale/README.md` gives the table.
 */
const BLOCKING_MAX = 0.4;
const GRAIN_MAX = 3;

/**
 * Tells a clean image from one with traces of compression or noise, and both from a drawing, whose edges and lines look
 * like such traces. A blurred image counts as clean: so may its subject be.
 */
export function classifyInput(raster: Raster): UpscaledInput {
  if (isDrawing(measureGraphics(raster))) return 'drawing';
  const { blocking, grain } = measureDegradation(raster);
  return blocking > BLOCKING_MAX || grain > GRAIN_MAX ? 'degraded image' : 'image';
}

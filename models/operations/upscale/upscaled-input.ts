import type { Raster } from '../../core/runtime/raster.ts';
import { measureGraphics } from '../../kernels/raster/measure-graphics.ts';
import { isDrawing } from '../../media/image/codec/graphics-coding.ts';
import { measureDegradation } from './measure-degradation.ts';
import type { Scale } from './plan-passes.ts';

/** Kind of input, which decides which model is the best. */
export type UpscaledInput = 'image' | 'drawing' | 'degraded image' | 'video';

/**
 * Thresholds above which an image counts as degraded, in grey levels: where the restoring network lowers the error of
 * gradients on most photographs that were held out of its training. Of blocking, clean ones have at most 0.2, JPEG of
 * quality 80 has 0.5 on average and that of quality 60 has 1. Of grain, clean ones but for one of fine texture have at
 * most 2, and noise of a deviation of 6 has 3.3. Four times as large, every trace shows, and what restores keeps a part
 * of the input: there it is worth it from JPEG of quality 90 and noise of 4 on. `lab/training/upscale/README.md` gives
 * the tables.
 */
const TRACES_MAX = { blocking: 0.4, grain: 3 };
const TRACES_MAX_AT_4 = { blocking: 0.25, grain: 2 };

/**
 * Tells a clean image from one with traces of compression or noise, and both from a drawing, whose edges and lines look
 * like such traces. A blurred image counts as clean: so may its subject be.
 */
export function classifyInput(raster: Raster, scale: Scale): UpscaledInput {
  if (isDrawing(measureGraphics(raster))) return 'drawing';
  const { blocking, grain } = measureDegradation(raster);
  const max = scale === 4 ? TRACES_MAX_AT_4 : TRACES_MAX;
  return blocking > max.blocking || grain > max.grain ? 'degraded image' : 'image';
}

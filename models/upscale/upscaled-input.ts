import { measureDegradation } from '../kernels/raster/degradation.ts';
import type { Raster } from '../raster.ts';

/** What is enlarged: it decides which model is the best. */
export type UpscaledInput = 'image' | 'degraded image' | 'video';

/**
 * Thresholds above which an image counts as degraded, in grey levels. Clean photographs held out of the training reach
 * 0.2 of blocking, and JPEG of quality 60 has more than 0.25 in nearly all of them. They reach 2.7 of grain, which is
 * strong texture, and noise of a deviation of 6 has more than 3. `scripts/calibrate-degradation.ts` measures them.
 */
const BLOCKING_MAX = 0.25;
const GRAIN_MAX = 3;

/** Tells a clean image from one with traces of compression or noise. A blurred one counts as clean: so may its subject be. */
export function inputOf(raster: Raster): UpscaledInput {
  const { blocking, grain } = measureDegradation(raster);
  return blocking > BLOCKING_MAX || grain > GRAIN_MAX ? 'degraded image' : 'image';
}

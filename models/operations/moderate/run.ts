import type { RunResult } from '../../core/operation/run-result.ts';
import { steps } from '../../core/runtime/progress.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { fitWithin, resizeColours } from '../../kernels/raster/resize.ts';
import { readRaster } from '../../media/image/raster-files.ts';
import { moderateImage } from '../../moderation/moderate-image.ts';
import type { ModerationParams } from './schema.ts';

export const STEPS = steps({ decoding: 0.2, classifying: 0.8 });

/** Larger images, which a device may hold, are reduced to this. */
const SIDE_MAX = 2048;

/**
 * Judges one image. The verdict is the result: there is no file.
 * @throws OperationError `unprocessable` when the image is corrupt; `unavailable` when no available engine judges a
 *   requested category
 */
export async function run(input: Blob, params: ModerationParams, runtime: Runtime): Promise<RunResult> {
  const { inference, signal } = runtime;
  const { categories, severity_threshold, engine } = params;
  const { step } = STEPS.of(runtime.progress);
  const raster = await step('decoding', () => readRaster(input, runtime));
  const { width, height } = fitWithin(raster, SIDE_MAX);
  const colours = resizeColours(raster, width, height);
  const judged = await step('classifying', (onProgress) =>
    moderateImage(inference, colours, { categories, engine, signal, onProgress }),
  );
  const found = [...judged.severities].map(([category, severity]) => ({ category, severity }));
  return {
    files: [],
    engine: judged.engine,
    warnings: judged.warnings,
    details: {
      flagged: found.some(({ severity }) => severity >= severity_threshold),
      categories: found,
      severity_threshold,
    },
  };
}

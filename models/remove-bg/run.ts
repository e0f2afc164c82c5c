import { mediaOf } from '../kernels/video-header.ts';
import type { RunResult } from '../operation.ts';
import type { Runtime } from '../runtime.ts';
import { cutoutFormat } from './formats.ts';
import { encodeRaster, readBackdrop, readRaster } from './pixels.ts';
import { removeBackground } from './remove-background.ts';
import { runVideo } from './run-video.ts';
import type { RemoveBgParams } from './schema.ts';

/** Shares of the time. */
const DECODED = 0.1;
const CUT_OUT = 0.7;

/** Takes the background out of an image or a video. @throws OperationError as `runImage` and `runVideo` do */
export async function run(input: Blob, params: RemoveBgParams, runtime: Runtime): Promise<RunResult> {
  return await ((await mediaOf(input)) === 'video' ? runVideo : runImage)(input, params, runtime);
}

/**
 * Takes the background out of one image.
 * @throws OperationError `unprocessable` when an image is corrupt; `unavailable` when no network is at hand
 */
async function runImage(input: Blob, params: RemoveBgParams, runtime: Runtime): Promise<RunResult> {
  const raster = await readRaster(input, runtime);
  const { width, height } = raster;
  runtime.progress(DECODED);
  const removal = await removeBackground(
    raster,
    { ...params, backdrop: await readBackdrop(params.background, raster, runtime) },
    { ...runtime, progress: (fraction) => runtime.progress(DECODED + (CUT_OUT - DECODED) * fraction) },
  );
  const file = await encodeRaster(raster, cutoutFormat(params.output_format), {
    ...runtime,
    progress: (fraction) => runtime.progress(CUT_OUT + (1 - CUT_OUT) * fraction),
  });
  return {
    files: [file],
    engine: removal.engine,
    warnings: removal.warnings,
    details: {
      original_size: `${width}x${height}`,
      subjects_detected: removal.subjectCount,
      matte_quality: removal.quality,
    },
  };
}

import { detectMedia } from '../files/containers/video-header.ts';
import { countGifFrames } from '../files/gif/blocks.ts';
import { imageFormatOf } from '../files/headers/image-header.ts';
import { encodeRaster } from '../media/encode-raster.ts';
import { openImage, rasterOf } from '../media/read-raster.ts';
import type { RunResult } from '../operation/define-operation.ts';
import { progressSpan } from '../runtime/progress.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { cutoutFormat } from './formats.ts';
import { readBackdrop } from './read-backdrop.ts';
import { removeBackground } from './remove-background.ts';
import { runVideo } from './run-video.ts';
import type { RemoveBgParams } from './schema.ts';

const SIGNATURE_BYTES = 64;
/** Shares of the run time. */
const DECODED = 0.1;
const CUT_OUT = 0.7;

/**
 * Removes the background of an image or a video.
 * @throws OperationError as `runImage` and `runVideo` do
 */
export async function run(input: Blob, params: RemoveBgParams, runtime: Runtime): Promise<RunResult> {
  return await ((await detectMedia(input)) === 'video' ? runVideo : runImage)(input, params, runtime);
}

/**
 * Removes the background of one image.
 * @throws OperationError `unprocessable` when an image is corrupt; `unavailable` when no model is available
 */
async function runImage(input: Blob, params: RemoveBgParams, runtime: Runtime): Promise<RunResult> {
  runtime.progress(0, undefined, 'decoding');
  const image = await openImage(input, runtime);
  const { width, height } = image;
  // First: the samples of a background image are freed before those of the subject are read.
  const backdrop = await readBackdrop(params.background, image, runtime);
  const raster = await rasterOf(image);
  runtime.progress(DECODED, undefined, 'finding the subject');
  const removal = await removeBackground(
    raster,
    { ...params, backdrop },
    { ...runtime, progress: progressSpan(runtime.progress, DECODED, CUT_OUT) },
  );
  runtime.progress(CUT_OUT, undefined, 'encoding');
  const format = cutoutFormat(params.output_format);
  const encoding = { ...runtime, progress: progressSpan(runtime.progress, CUT_OUT, 1) };
  const file = await encodeRaster(raster, { format }, encoding);
  return {
    files: [file],
    engine: removal.engine,
    warnings: [...removal.warnings, ...(await lostFrames(input))],
    details: {
      original_size: `${width}x${height}`,
      subjects_detected: removal.subjectCount,
      matte_quality: removal.quality,
    },
  };
}

/** Says that an animation becomes a still. */
async function lostFrames(input: Blob): Promise<string[]> {
  if (imageFormatOf(new Uint8Array(await input.slice(0, SIGNATURE_BYTES).arrayBuffer())) !== 'gif') return [];
  const count = countGifFrames(new Uint8Array(await input.arrayBuffer()));
  return count > 1 ? [`This GIF has ${count} frames: only the first is kept.`] : [];
}

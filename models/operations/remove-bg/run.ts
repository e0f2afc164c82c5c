import type { RunResult } from '../../core/operation/run-result.ts';
import { steps } from '../../core/runtime/progress.ts';
import { formatWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { detectMedia } from '../../media/containers/video-header.ts';
import { chooseImageFormat } from '../../media/image/output-format.ts';
import { encodeRaster, getRaster, openImage } from '../../media/image/raster-files.ts';
import { listLostImages } from '../../media/image/read-contents.ts';
import { placeCutout } from './finish-cutout.ts';
import { backgroundFor, readPlacement } from './placement.ts';
import { readBackdrop } from './read-backdrop.ts';
import { removeBackground } from './remove-background.ts';
import { runVideo } from './run-video.ts';
import type { RemoveBgParams } from './schema.ts';

/** Steps with an image. Those with a video stand in `run-video.ts`. */
export const STEPS = steps({ decoding: 0.1, 'finding the subject': 0.6, encoding: 0.3 });

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
  const { step } = STEPS.of(runtime.progress);
  const { raster, backdrop, width, height, warnings } = await step('decoding', () =>
    decode(input, params, runtime),
  );
  const removal = await step('finding the subject', (progress) =>
    removeBackground(raster, { ...params, backdrop }, { ...runtime, progress }),
  );
  const placement = readPlacement(params);
  const placed = placement
    ? await placeCutout(raster, placement, runtime, (canvas) =>
        readBackdrop(backgroundFor(params), canvas, runtime),
      )
    : raster;
  const format = chooseImageFormat(params.output_format);
  const file = await step('encoding', (progress) =>
    encodeRaster(placed, { format }, { ...runtime, progress }),
  );
  const empty = removal.subjectCount === 0 ? [formatWarning('no_subject')] : [];
  return {
    files: [file],
    engine: removal.engine,
    warnings: [...empty, ...removal.warnings, ...warnings],
    details: {
      original_size: `${width}x${height}`,
      subjects_detected: removal.subjectCount,
      matte_quality: removal.quality,
      // For the studio's advice: the response does not have it.
      matte_doubt: removal.doubt,
    },
  };
}

/** Decodes the image, and the background that replaces its own. */
async function decode(input: Blob, params: RemoveBgParams, runtime: Runtime) {
  const image = await openImage(input, runtime);
  const { width, height } = image;
  // First: the samples of a background image are freed before those of the subject are read.
  // A placed subject has a backdrop of its canvas's size, which only the subject tells.
  const backdrop = readPlacement(params) ? null : await readBackdrop(params.background, image, runtime);
  const lost = await listLostImages(new Uint8Array(await input.arrayBuffer()));
  const warnings = [...(image.warnings ?? []), ...lost];
  return { raster: await getRaster(image), backdrop, width, height, warnings };
}

import { OperationError } from '../errors.ts';
import type { Picture } from '../image-codec.ts';
import { runBestEngine } from '../inference/engine-ladder.ts';
import { firstFrame } from '../kernels/raster/first-frame.ts';
import { isOpaque } from '../kernels/raster/opaque.ts';
import { stripPicture } from '../kernels/raster/strips.ts';
import type { RunResult } from '../operation.ts';
import { progressSpan } from '../progress.ts';
import { WHITE } from '../raster.ts';
import type { Runtime } from '../runtime.ts';
import { upscaleEngines } from './engines.ts';
import { upscaledFormat } from './formats.ts';
import type { UpscaleParams } from './schema.ts';

/** Share of the run time that decoding takes. */
const DECODED = 0.05;
/** Quality without visible loss. */
const QUALITY = 92;

/**
 * Enlarges one image. The image becomes upright, in sRGB, without metadata; PNG keeps 16 bits per sample.
 * @throws OperationError `unprocessable` when the image is corrupt or an animation; `unavailable` when no model is
 *   available
 */
export async function run(input: Blob, params: UpscaleParams, runtime: Runtime): Promise<RunResult> {
  const { images, inference, signal } = runtime;
  const format = upscaledFormat(params.output_format);
  runtime.progress(0, undefined, 'decoding');
  const picture = await images.decode(input, { frames: 'all', colour: 'srgb', signal });
  const raster = await onlyFrame(picture);
  const hasAlpha = picture.hasAlpha && !isOpaque(raster);
  runtime.progress(DECODED, undefined, 'enlarging');
  const engines = upscaleEngines(raster, params, {
    inference,
    signal,
    onProgress: progressSpan(runtime.progress, DECODED, 1),
    encode: (enlarged) =>
      images.encode(stripPicture(enlarged, { hasAlpha, metadata: {} }), {
        format,
        quality: QUALITY,
        background: WHITE,
        metadata: {},
        signal,
      }),
  });
  const { value, engine, warnings } = await runBestEngine(inference, engines, {
    engine: 'auto',
    purpose: 'enlarges images',
    signal,
  });
  const { width, height } = raster;
  return {
    files: [{ name: `output.${format}`, mediaType: `image/${format}`, blob: value }],
    engine,
    warnings: [...(picture.warnings ?? []), ...warnings],
    details: {
      input_size: `${width}x${height}`,
      output_size: `${width * params.scale}x${height * params.scale}`,
      scale: params.scale,
    },
  };
}

function onlyFrame(picture: Picture) {
  if (picture.frameCount > 1) {
    throw new OperationError(
      'unprocessable',
      `The image is an animation of ${picture.frameCount} frames. Send one frame as an image.`,
    );
  }
  return firstFrame(picture);
}

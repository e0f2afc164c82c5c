import { OperationError } from '../errors.ts';
import type { Picture } from '../image-codec.ts';
import type { Backdrop } from '../kernels/backdrop.ts';
import { imageBackdrop } from '../kernels/backdrop.ts';
import { firstFrame } from '../kernels/first-frame.ts';
import { type Raster8, toEightBits } from '../kernels/opaque.ts';
import type { RunResult } from '../operation.ts';
import type { Runtime } from '../runtime.ts';
import { backdropOf, parseBackground } from './background.ts';
import { removeBackground } from './remove-background.ts';
import type { RemoveBgParams } from './schema.ts';

const WHITE = [255, 255, 255] as const;
const QUALITY = 92;

/** Shares of the time. */
const DECODED = 0.1;
const CUT_OUT = 0.7;

/**
 * Takes the background out of one image.
 * @throws OperationError `unprocessable` when an image is corrupt; `unavailable` when no network is at hand
 */
export async function run(input: Blob, params: RemoveBgParams, runtime: Runtime): Promise<RunResult> {
  const { images, signal } = runtime;
  const raster = await readRaster(input, runtime);
  const { width, height } = raster;
  runtime.progress(DECODED);
  const removal = await removeBackground(
    raster,
    { ...params, backdrop: await readBackdrop(params, raster, runtime) },
    { ...runtime, progress: (fraction) => runtime.progress(DECODED + (CUT_OUT - DECODED) * fraction) },
  );
  const blob = await images.encode(pictureOf(raster), {
    format: params.output_format,
    quality: QUALITY,
    background: WHITE,
    metadata: {},
    signal,
    onProgress: (fraction) => runtime.progress(CUT_OUT + (1 - CUT_OUT) * fraction),
  });
  return {
    files: [{ name: `output.${params.output_format}`, mediaType: `image/${params.output_format}`, blob }],
    engine: removal.engine,
    warnings: removal.warnings,
    details: {
      original_size: `${width}x${height}`,
      subjects_detected: removal.subjectCount,
      matte_quality: removal.quality,
    },
  };
}

async function readRaster(input: Blob, { images, signal }: Runtime): Promise<Raster8> {
  const picture = await images.decode(input, { frames: 'first', colour: 'srgb', signal });
  return toEightBits(await firstFrame(picture));
}

async function readBackdrop(
  params: RemoveBgParams,
  { width, height }: Raster8,
  runtime: Runtime,
): Promise<Backdrop | null> {
  const background = parseBackground(params.background);
  if (!background) throw new OperationError('bad_request', 'background: is of no known kind.');
  if (background.kind !== 'picture') return backdropOf(background, width, height);
  const file = runtime.attachments.get('background');
  if (!file) throw new OperationError('bad_request', 'background: the image was not sent along.');
  return imageBackdrop(await readRaster(file, runtime), width, height);
}

function pictureOf(raster: Raster8): Picture {
  const { width, height } = raster;
  return {
    width,
    height,
    frameCount: 1,
    loopCount: 0,
    hasAlpha: true,
    bitDepth: 8,
    metadata: {},
    async *frames() {
      yield { ...raster, durationMs: 0 };
    },
  };
}

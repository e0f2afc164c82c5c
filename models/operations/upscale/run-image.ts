import { runBestEngine } from '../../core/inference/engine-ladder.ts';
import { OperationError } from '../../core/operation/errors.ts';
import type { RunResult } from '../../core/operation/run-result.ts';
import type { ImageCodec, Picture } from '../../core/runtime/image-codec.ts';
import { type ReportProgress, steps } from '../../core/runtime/progress.ts';
import { type Frame, type Raster, type Raster8, WHITE } from '../../core/runtime/raster.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import {
  assembleStrips,
  firstFrame,
  getPicture,
  getStrips,
  type StripImage,
  stripPicture,
} from '../../kernels/raster/picture.ts';
import { isOpaque } from '../../kernels/raster/pixel-format.ts';
import { scalingGeometry } from '../../kernels/raster/transform-picture.ts';
import { getTarget } from '../../media/image/find-format.ts';
import { chooseImageFormat } from '../../media/image/output-format.ts';
import { printResolution } from '../../media/image/print-resolution.ts';
import { OUTPUT_QUALITY } from '../../media/image/raster-files.ts';
import { listLostImages } from '../../media/image/read-contents.ts';
import { ladderOptions, type OpenPasses, upscaleEngines } from './engines.ts';
import { enlargeStrips } from './enlarge-strips.ts';
import { outputSize } from './plan-passes.ts';
import type { UpscaleParams } from './schema.ts';
import { classifyInput } from './upscaled-input.ts';

/** Steps with an image. The encoder asks for the enlarged strips, and still works after the last one. */
export const STEPS = steps({ decoding: 0.05, 'loading the model': 0.05, enlarging: 0.8, encoding: 0.1 });
/**
 * Enlarges one image. The image becomes upright, in sRGB, without metadata; PNG keeps 16 bits per sample.
 * @throws OperationError `unprocessable` when the image is corrupt or has several frames or pages; `unavailable` when
 * no model is
 *   available
 */
export async function runImage(input: Blob, params: UpscaleParams, runtime: Runtime): Promise<RunResult> {
  const { images, inference, signal } = runtime;
  const format = chooseImageFormat(params.output_format);
  const { step, span } = STEPS.of(runtime.progress);
  const still = await step('decoding', () => decodeStill(input, images, signal));
  const { raster, hasAlpha } = still;
  const facts = { hasAlpha, metadata: {} };
  const source = getPicture(raster, facts);
  const onProgress: ReportProgress = (enlarged) =>
    enlarged.fraction < 1 ? span('enlarging')(enlarged) : span('encoding')({ fraction: 0 });
  const size = outputSize(raster, params);
  const kind = classifyInput(raster, params.scale);
  const engines = upscaleEngines(params, {
    inference,
    signal,
    input: kind,
    async work(passes) {
      onProgress({ fraction: 0 });
      const enlarged = enlargeImage(getStrips(source), passes, { signal, onProgress });
      const picture =
        size.width === enlarged.width
          ? stripPicture(enlarged, facts)
          : images.transform(getPicture(await assembleStrips(enlarged), facts), scalingGeometry(size));
      return images.encode(picture, {
        format,
        quality: OUTPUT_QUALITY,
        background: WHITE,
        metadata: printResolution(params.dpi, getTarget(format)),
        signal,
      });
    },
  });
  const ladder = { ...ladderOptions(params, 'images', signal), onProgress: span('loading the model') };
  const { value, engine, warnings } = await runBestEngine(inference, engines, ladder);
  const { width, height } = raster;
  return {
    files: [{ name: `output.${format}`, mediaType: `image/${format}`, blob: value }],
    engine,
    warnings: [...still.warnings, ...warnings],
    details: {
      input_size: `${width}x${height}`,
      output_size: `${size.width}x${size.height}`,
      scale: params.scale,
      // For the studio, which says what the model was chosen for: the response does not have it.
      input_kind: kind,
    },
  };
}

/** Image to enlarge. */
export interface Still {
  readonly raster: Raster;
  /** Whether some pixels are not opaque. */
  readonly hasAlpha: boolean;
  readonly warnings: readonly RunWarning[];
}

/**
 * Decodes an image upright and in sRGB.
 * @throws OperationError `unprocessable` when the image is corrupt or has several frames or pages
 */
export async function decodeStill(input: Blob, images: ImageCodec, signal: AbortSignal): Promise<Still> {
  const picture = await images.decode(input, { frames: 'all', colour: 'srgb', signal });
  const raster = await onlyFrame(picture);
  return {
    raster,
    hasAlpha: picture.hasAlpha && !isOpaque(raster),
    warnings: [
      ...(picture.warnings ?? []),
      ...(await listLostImages(new Uint8Array(await input.arrayBuffer()))),
    ],
  };
}

/** Enlarges an image by each network in turn. */
export function enlargeImage(
  source: StripImage,
  { networks, isDrawing, reduction, report }: OpenPasses,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: ReportProgress },
): StripImage {
  const enlarged = networks.reduce((image, { network, session }, at) => {
    // The last network takes the longest, and waits for the others as it goes.
    const isLast = at === networks.length - 1;
    return enlargeStrips(image, network, session, {
      signal,
      report,
      isDrawing,
      onProgress: isLast ? onProgress : () => {},
    });
  }, source);
  return reduction === 2 ? halveStrips(enlarged) : enlarged;
}

function onlyFrame(picture: Picture): Promise<Frame> {
  if (picture.frameCount > 1) {
    throw new OperationError(
      'unprocessable',
      `The image has ${picture.frameCount} frames or pages. Send one of them as an image.`,
    );
  }
  return firstFrame(picture);
}

/**
 * Reduces an image to half its size, each pixel the mean of four, strip by strip. Colours count by their alpha.
 * @param image of even sides, whose strips have even heights
 */
function halveStrips({ width, height, bitDepth, strips }: StripImage): StripImage {
  async function* halved(): AsyncGenerator<Raster> {
    for await (const strip of strips) yield halveRaster(strip);
  }
  return { width: width / 2, height: height / 2, bitDepth, strips: halved() };
}

/** Reduces a raster of even sides to half its size, each pixel the mean of four. Colours count by their alpha. */
export function halveRaster(raster: Raster8): Raster8;
export function halveRaster(raster: Raster): Raster;
export function halveRaster({ width, height, data }: Raster): Raster {
  const half = { width: width / 2, height: height / 2 };
  const into = new (data instanceof Uint16Array ? Uint16Array : Uint8Array)(half.width * half.height * 4);
  for (let y = 0, to = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++, to += 4) {
      const first = (2 * y * width + 2 * x) * 4;
      const places = [first, first + 4, first + width * 4, first + width * 4 + 4];
      const alpha = places.reduce((sum, at) => sum + data[at + 3], 0);
      for (let channel = 0; channel < 3 && alpha > 0; channel++) {
        const sum = places.reduce((total, at) => total + data[at + channel] * data[at + 3], 0);
        into[to + channel] = Math.round(sum / alpha);
      }
      into[to + 3] = Math.round(alpha / 4);
    }
  }
  return { ...half, data: into };
}

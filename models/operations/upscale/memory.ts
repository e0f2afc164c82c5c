import type { VideoFacts } from '../../media/containers/video-header.ts';
import { getFormat } from '../../media/image/find-format.ts';
import type { ImageFormat } from '../../media/image/formats.ts';
import type { ImageFacts } from '../../media/image/headers/image-header.ts';
import { type UpscaledFormat, upscaledFormat } from './formats.ts';
import type { Upscaler } from './networks.ts';
import { planPasses, type Scale } from './plan-passes.ts';
import type { UpscaleParams } from './schema.ts';
import type { UpscaledInput } from './upscaled-input.ts';
import { upscalersFor } from './upscalers.ts';

/** Memory of a run besides its pixels: the program and the codecs. */
const BASE_BYTES = 600_000_000;
/** Bytes per pixel of an input image: its raster of 16 bits, and the decoder's copy. */
const INPUT_BYTES_PER_PIXEL = 20;
/** Bytes per pixel of an enlarged image: the compressed file and its copies. WebP holds the image whole. */
const IMAGE_BYTES_PER_PIXEL = { png: 8, jpeg: 8, webp: 27 };
/** Bytes per pixel of a PNG with 16 bits per sample and alpha, measured with noise. */
const DEEP_PNG_BYTES_PER_PIXEL = 16;
/** Bytes per pixel of an enlarged video: frames in progress, and the encoder's look-ahead. */
const VIDEO_BYTES_PER_PIXEL = 150;

/**
 * Estimates the memory of a run, in bytes.
 * @param modelBytesMax memory of the largest model that is available where the run takes place
 */
export function memoryBytes(
  facts: ImageFacts | VideoFacts,
  params: UpscaleParams,
  modelBytesMax: number,
): number {
  const inputs: readonly UpscaledInput[] =
    'durationSeconds' in facts ? ['video'] : ['image', 'degraded image'];
  const models = inputs
    .flatMap((input) => upscalersFor(params.model, input))
    .map((upscaler) => networkBytes(upscaler, params.scale, modelBytesMax));
  return BASE_BYTES + pixelBytes(facts, params) + Math.max(...models);
}

/** Estimates the memory of the networks of a run, which are open at once, in bytes. */
function networkBytes(upscaler: Upscaler, scale: Scale, modelBytesMax: number): number {
  const cards = new Set(planPasses(upscaler, scale).networks.map(({ card }) => card));
  return [...cards].reduce((sum, { memoryBytes }) => sum + Math.min(modelBytesMax, memoryBytes), 0);
}

/** Estimates the memory of a run's pixels, in bytes. */
export function pixelBytes(
  facts: ImageFacts | VideoFacts,
  { scale, output_format }: Pick<UpscaleParams, 'scale' | 'output_format'>,
): number {
  const perPixel =
    'durationSeconds' in facts
      ? VIDEO_BYTES_PER_PIXEL
      : imageBytesPerPixel(facts.format, upscaledFormat(output_format));
  return facts.width * facts.height * (INPUT_BYTES_PER_PIXEL + perPixel * scale ** 2);
}

function imageBytesPerPixel(input: ImageFormat, output: UpscaledFormat): number {
  const isDeep = output === 'png' && getFormat(input).holds.is16Bit;
  return isDeep ? DEEP_PNG_BYTES_PER_PIXEL : IMAGE_BYTES_PER_PIXEL[output];
}

import { BATCH_ITEMS_MAX, defineOperation } from '../../core/operation/define-operation.ts';
import { fieldError } from '../../core/operation/errors.ts';
import { imageNeeds } from '../../core/runtime/fit.ts';
import { detectMedia, type VideoFacts } from '../../media/containers/video-header.ts';
import { getFormat, getNames } from '../../media/image/find-format.ts';
import type { ImageFormat } from '../../media/image/formats.ts';
import type { ImageFacts } from '../../media/image/image-header.ts';
import {
  assertFitsFormat,
  chooseImageFormat,
  chooseVideoFormat,
  describeTestOutput,
  type OutputFormat,
} from '../../media/image/output-format.ts';
import { probeUprightImage } from '../../media/image/upright-image.ts';
import { billedVideoSeconds, describeVideoLimits } from '../../media/video/video-limits.ts';
import {
  enlargedPixels,
  OUTPUT_PIXELS_MAX,
  outputSize,
  planPasses,
  type Scale,
  type Upscaler,
} from './plan-passes.ts';
import { checkRunTime, isLongRun, runSecondsMax } from './run-time.ts';
import { paramsSchema, resultSchema, type UpscaleParams } from './schema.ts';
import type { UpscaledInput } from './upscaled-input.ts';
import { UPSCALE_ENGINE_LIST, upscalersFor } from './upscalers.ts';
import { checkVideoScale, probeUpscaleVideo, UPSCALE_VIDEO_LIMITS } from './video-limits.ts';
import { UPSCALE_WEIGHTS } from './weights.ts';

/** Memory of a run besides its pixels: the program and the codecs. */
const BASE_BYTES = 600_000_000;
/** Bytes per pixel of an input image: its raster of 16 bits, and the decoder's copy. */
const INPUT_BYTES_PER_PIXEL = 20;
/** Bytes per pixel of an enlarged image: the compressed file and its copies. WebP holds the image whole. */
const IMAGE_BYTES_PER_PIXEL = { png: 8, jpeg: 8, webp: 27 };
/** Bytes per pixel of a PNG with 16 bits per sample and alpha, measured with noise. */
const DEEP_PNG_BYTES_PER_PIXEL = 16;
/** Bytes per pixel of an enlarged image that is held as a raster of 16 bits. */
const HELD_BYTES_PER_PIXEL = 8;
/** Bytes per pixel of an enlarged video: frames in progress, and the encoder's look-ahead. */
const VIDEO_BYTES_PER_PIXEL = 150;
const MEGAPIXEL = 1_000_000;
const MICRO_USD_PER_CREDIT = 1_000;

const LIMITS = `a ${getNames()} image of at most 50 MB. The result has at most 100 megapixels.`;

export const upscale = defineOperation({
  id: 'upscale',
  title: 'Upscale',
  summary: 'Enlarges an image or a video two, four or eight times, with sharp edges.',
  path: '/v1/upscale',
  authentication: 'bearer',
  inputs: {
    image_url: { media: ['image'], encoding: 'url', description: `HTTP(S) URL of ${LIMITS}` },
    image_b64: { media: ['image'], encoding: 'base64', description: `The bytes of ${LIMITS}` },
    video_url: {
      media: ['video'],
      encoding: 'url',
      bytesMax: UPSCALE_VIDEO_LIMITS.bytesMax,
      description: `HTTP(S) URL of ${describeVideoLimits(UPSCALE_VIDEO_LIMITS)}. The audio is kept. The result has at most 4096 pixels per side.`,
    },
  },
  params: paramsSchema,
  imageLimits: { pixelsMax: OUTPUT_PIXELS_MAX },
  acceptance: {
    measure: 'PSNR',
    per: 'megapixel',
    floor: 20,
    floors: { darkroom: 27.5, 'darkroom-restore': 26.4, 'darkroom-fast': 27.2, 'realesr-general-x4v3': 25 },
    load: () => import('../../acceptance/enlarged.ts'),
  },
  engineList: UPSCALE_ENGINE_LIST,
  limits: { inputBytesMax: 50_000_000, runSecondsMax: 1800, memoryBytesMax: 6_000_000_000 },
  async probe(input, media): Promise<ImageFacts | VideoFacts> {
    if (((await detectMedia(input)) ?? media?.[0]) === 'video') return await probeUpscaleVideo(input);
    return await probeUprightImage(input, { pixelsMax: OUTPUT_PIXELS_MAX });
  },
  lane: (facts, params) => (isLongRun(facts, params) ? 'long' : 'interactive'),
  check(facts, params) {
    const { scale, output_format } = params;
    if ('durationSeconds' in facts) {
      chooseVideoFormat(output_format);
      checkVideoScale(facts, scale);
      for (const field of ['width', 'dpi'] as const) {
        if (params[field] !== undefined) throw fieldError(field, 'is for images only');
      }
    } else {
      assertFitsFormat(outputSize(facts, params), chooseImageFormat(output_format));
      checkImageScale(facts, scale);
    }
    checkRunTime(facts, params);
  },
  deviceNeeds(facts, params) {
    const memoryBytes = pixelBytes(facts, params);
    return 'durationSeconds' in facts ? { memoryBytes } : imageNeeds(memoryBytes);
  },
  limitsFor: (facts, params, modelBytesMax) => ({
    memoryBytesMax: memoryBytes(facts, params, modelBytesMax),
    runSecondsMax: runSecondsMax(facts, params),
  }),
  rates: {
    megapixel: { amount: 5_000n, per: 'started megapixel of an enlarged image' },
    second: { amount: 50_000n, per: 'started second of video' },
  },
  price: (facts, { scale }, { megapixel, second }) =>
    'durationSeconds' in facts
      ? second * BigInt(billedVideoSeconds(facts))
      : megapixel * BigInt(Math.ceil(enlargedPixels(facts, scale) / MEGAPIXEL)),
  waits: () => true,
  response: {
    schema: resultSchema,
    members: ({ urls: [output_url], charged }) => ({
      status: 'success' as const,
      output_url,
      credits_used: Number(charged) / MICRO_USD_PER_CREDIT,
    }),
    outOfTime: 'accepted',
  },
  batch: { itemsMax: BATCH_ITEMS_MAX, shared: Object.keys(paramsSchema.shape) },
  weights: Object.values(UPSCALE_WEIGHTS),
  testResult(facts, params) {
    const { scale, output_format } = params;
    const size = outputSize(facts, params);
    return {
      files: [describeTestOutput(facts, output_format, size)],
      details: {
        input_size: `${facts.width}x${facts.height}`,
        output_size: `${size.width}x${size.height}`,
        scale,
      },
    };
  },
  load: () => import('./run.ts'),
});

function checkImageScale(facts: ImageFacts, scale: Scale): void {
  const pixels = enlargedPixels(facts, scale);
  if (pixels <= OUTPUT_PIXELS_MAX) return;
  throw fieldError(
    'scale',
    `${facts.width} x ${facts.height} pixels enlarged ${scale} times are ${Math.ceil(pixels / MEGAPIXEL)} megapixels. At most 100 are allowed: use a smaller factor or image.`,
  );
}

/**
 * Estimates the memory of a run, in bytes.
 * @param modelBytesMax memory of the largest model that is available where the run takes place
 */
function memoryBytes(facts: ImageFacts | VideoFacts, params: UpscaleParams, modelBytesMax: number): number {
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
function pixelBytes(
  facts: ImageFacts | VideoFacts,
  { scale, output_format, width }: Pick<UpscaleParams, 'scale' | 'output_format' | 'width'>,
): number {
  const perPixel =
    'durationSeconds' in facts
      ? VIDEO_BYTES_PER_PIXEL
      : imageBytesPerPixel(facts.format, chooseImageFormat(output_format));
  // What is reduced is held whole before.
  const heldPerPixel = width === undefined ? 0 : HELD_BYTES_PER_PIXEL;
  return facts.width * facts.height * (INPUT_BYTES_PER_PIXEL + (perPixel + heldPerPixel) * scale ** 2);
}

function imageBytesPerPixel(input: ImageFormat, output: OutputFormat): number {
  const is16Bit = output === 'png' && getFormat(input).holds.is16Bit;
  return is16Bit ? DEEP_PNG_BYTES_PER_PIXEL : IMAGE_BYTES_PER_PIXEL[output];
}

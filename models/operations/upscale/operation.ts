import { BATCH_ITEMS_MAX, defineOperation } from '../../core/operation/define-operation.ts';
import { fieldError } from '../../core/operation/errors.ts';
import { detectMedia, type VideoFacts } from '../../media/containers/video-header.ts';
import { namesOf } from '../../media/image/find-format.ts';
import { assertFitsFormat } from '../../media/image/format-sides.ts';
import { type ImageFacts, probeImage } from '../../media/image/headers/image-header.ts';
import { nameOutput } from '../../media/image/output-format.ts';
import { billedVideoSeconds, describeVideoLimits } from '../../media/video/video-limits.ts';
import { upscaledFormat, upscaledVideoFormat } from './formats.ts';
import { memoryBytes, pixelBytes } from './memory.ts';
import type { Scale } from './plan-passes.ts';
import { checkRunTime, isLongRun, runSecondsMax } from './run-time.ts';
import { enlargedPixels, OUTPUT_PIXELS_MAX } from './scale-limits.ts';
import { paramsSchema, resultSchema } from './schema.ts';
import { UPSCALE_ENGINE_LIST } from './upscalers.ts';
import { checkVideoScale, probeUpscaleVideo, UPSCALE_VIDEO_LIMITS } from './video-limits.ts';
import { UPSCALE_WEIGHTS } from './weights.ts';

const MEGAPIXEL = 1_000_000;
const MICRO_USD_PER_CREDIT = 1_000;

export const upscale = defineOperation({
  id: 'upscale',
  title: 'Upscale',
  summary: 'Enlarges an image or a video two, four or eight times, with sharp edges.',
  path: '/v1/upscale',
  authentication: 'bearer',
  inputs: {
    image_url: {
      media: ['image'],
      encoding: 'url',
      description: `HTTP(S) URL of a ${namesOf()} image of at most 50 MB. The result has at most 100 megapixels.`,
    },
    video_url: {
      media: ['video'],
      encoding: 'url',
      bytesMax: UPSCALE_VIDEO_LIMITS.bytesMax,
      description: `HTTP(S) URL of ${describeVideoLimits(UPSCALE_VIDEO_LIMITS)}. The audio is kept. The result has at most 4096 pixels per side.`,
    },
  },
  params: paramsSchema,
  acceptance: {
    measure: 'PSNR',
    per: 'megapixel',
    floor: 20,
    floors: { darkroom: 27.5, 'darkroom-restore': 26.4, 'darkroom-fast': 27.2, 'realesr-general-x4v3': 25 },
    load: () => import('../../acceptance/measures/enlarged.ts'),
  },
  engineList: UPSCALE_ENGINE_LIST,
  limits: { inputBytesMax: 50_000_000, runSecondsMax: 1800, memoryBytesMax: 6_000_000_000 },
  async probe(input, media): Promise<ImageFacts | VideoFacts> {
    if (((await detectMedia(input)) ?? media?.[0]) === 'video') return await probeUpscaleVideo(input);
    return await probeImage(input, { pixelsMax: OUTPUT_PIXELS_MAX });
  },
  lane: (facts, params) => (isLongRun(facts, params) ? 'long' : 'interactive'),
  check(facts, params) {
    const { scale, output_format } = params;
    if ('durationSeconds' in facts) {
      upscaledVideoFormat(output_format);
      checkVideoScale(facts, scale);
    } else {
      const size = { width: facts.width * scale, height: facts.height * scale };
      assertFitsFormat(size, upscaledFormat(output_format));
      checkImageScale(facts, scale);
    }
    checkRunTime(facts, params);
  },
  deviceNeeds: (facts, params) => ({ memoryBytes: pixelBytes(facts, params) }),
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
  testResult(facts, { scale, output_format }) {
    const size = { width: facts.width * scale, height: facts.height * scale };
    return {
      files: [
        'durationSeconds' in facts
          ? {
              kind: 'video',
              ...nameOutput(upscaledVideoFormat(output_format)),
              ...size,
              durationSeconds: facts.durationSeconds,
            }
          : { kind: 'image', ...nameOutput(upscaledFormat(output_format)), ...size },
      ],
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

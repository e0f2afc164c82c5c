import { BATCH_ITEMS_MAX, defineOperation } from '../../core/operation/define-operation.ts';
import { fieldError } from '../../core/operation/errors.ts';
import type { Media } from '../../core/operation/inputs.ts';
import { imageNeeds } from '../../core/runtime/fit.ts';
import { MATTE_MODELS } from '../../matting/matte-models.ts';
import { REMOVE_BG_WEIGHTS } from '../../matting/weights.ts';
import { detectMedia, type VideoFacts } from '../../media/containers/video-header.ts';
import { getNames } from '../../media/image/find-format.ts';
import type { ImageFormat } from '../../media/image/formats.ts';
import type { ImageFacts } from '../../media/image/image-header.ts';
import { chooseImageFormat, chooseVideoFormat, describeTestOutput } from '../../media/image/output-format.ts';
import { probeUprightImage } from '../../media/image/upright-image.ts';
import {
  billedVideoSeconds,
  describeVideoLimits,
  videoRunSecondsMax,
} from '../../media/video/video-limits.ts';
import { parseBackground } from './background.ts';
import { layOutSubject } from './lay-out-subject.ts';
import { backgroundFor, canvasPixelsMax, placementFields, readPlacement } from './placement.ts';
import { paramsSchema, resultSchema } from './schema.ts';
import { CUTOUT_VIDEO_LIMITS, CUTOUT_VIDEO_RUN_SECONDS, probeCutoutVideo } from './video-limits.ts';

/** Memory of a run besides its own pixels: the program, and the largest possible background image. */
const BASE_BYTES = 720_000_000;
/** Bytes per pixel of an image: its raster, the decoded source, and the encoder's copy. */
const IMAGE_BYTES_PER_PIXEL = 20;
/** Bytes per pixel of a separate canvas: the subject in its size there, the canvas, and the encoder's copy. */
const CANVAS_BYTES_PER_PIXEL = 12;
/** Bytes per pixel of a video: frames in progress, and the encoder's look-ahead, of double height for mp4. */
const VIDEO_BYTES_PER_PIXEL = 250;
/** Bytes per pixel of a video on a device: its encoder holds its own frames outside of the tab. */
const DEVICE_VIDEO_BYTES_PER_PIXEL = 60;

type Facts = Pick<ImageFacts, 'width' | 'height'> | VideoFacts;

const SIDE_MAX = 8000;
/** Formats that the server reads. */
const FORMATS: readonly ImageFormat[] = ['jpeg', 'png', 'webp', 'bmp'];
const IMAGE_LIMITS = { formats: FORMATS, pixelsMax: SIDE_MAX * SIDE_MAX, sideMax: SIDE_MAX };
const LIMITS = `a ${getNames(FORMATS)} image of at most 25 MB and 8000 x 8000 pixels`;

export const removeBg = defineOperation({
  id: 'remove-bg',
  title: 'Remove backgrounds',
  summary: 'Removes the background of an image or a video, or replaces it.',
  path: '/v1/remove-bg',
  authentication: 'bearer',
  inputs: {
    image_url: { media: ['image'], encoding: 'url', description: `HTTP(S) URL of ${LIMITS}.` },
    image_b64: { media: ['image'], encoding: 'base64', description: `The bytes of ${LIMITS}.` },
    video_url: {
      media: ['video'],
      encoding: 'url',
      bytesMax: CUTOUT_VIDEO_LIMITS.bytesMax,
      description: `HTTP(S) URL of ${describeVideoLimits(CUTOUT_VIDEO_LIMITS)}. The audio is kept.`,
    },
  },
  params: paramsSchema,
  attachments({ background }) {
    const parsed = parseBackground(background);
    return parsed?.kind === 'picture' ? [{ name: 'background', media: ['image'], url: parsed.url }] : [];
  },
  // The largest model (where INFERENCE_MEMORY_MB allows it) with the largest image.
  limits: { inputBytesMax: 25_000_000, runSecondsMax: 300, memoryBytesMax: 7_000_000_000 },
  probe: (input, media) => probeInput(input, { media, formats: FORMATS }),
  // Its codecs read all of them, and it costs no one anything.
  probeOnDevice: (input) => probeInput(input),
  imageLimits: IMAGE_LIMITS,
  acceptance: {
    measure: 'IoU',
    per: 'megapixel',
    floor: 0.8,
    floors: { matte: 0.91, u2netp: 0.86, 'modnet-fp16': 0.5, 'selfie-segmentation': 0.55 },
    load: () => import('../../acceptance/subjects.ts'),
  },
  engines: MATTE_MODELS.map(({ card, name, finds }) => ({
    id: card.id,
    name,
    card,
    isOptIn: finds === 'people',
  })),
  deviceNeeds(facts) {
    const pixels = facts.width * facts.height;
    return 'durationSeconds' in facts
      ? { memoryBytes: DEVICE_VIDEO_BYTES_PER_PIXEL * pixels }
      : imageNeeds(IMAGE_BYTES_PER_PIXEL * pixels);
  },
  lane: (facts) => ('durationSeconds' in facts ? 'long' : 'interactive'),
  check(facts, params) {
    const [field] = 'durationSeconds' in facts ? placementFields(params) : [];
    if (field)
      throw fieldError(field, 'places the subject of an image. Leave it out for a video.', {
        kind: 'setting',
      });
  },
  limitsFor: (facts, params, modelBytesMax) => ({
    memoryBytesMax: memoryBytes(facts, modelBytesMax, canvasPixelsMax(facts, params)),
    ...('durationSeconds' in facts && { runSecondsMax: videoRunSecondsMax(facts, CUTOUT_VIDEO_RUN_SECONDS) }),
  }),
  rates: {
    image: { amount: 10_000n, per: 'image' },
    second: { amount: 50_000n, per: 'started second of video' },
  },
  price(facts, { output_format }, { image, second }) {
    if ('durationSeconds' in facts) {
      chooseVideoFormat(output_format);
      return second * BigInt(billedVideoSeconds(facts));
    }
    chooseImageFormat(output_format);
    return image;
  },
  waits: () => true,
  response: {
    schema: resultSchema,
    members: ({ urls: [output_url] }) => ({ status: 'success' as const, output_url }),
    outOfTime: 'accepted',
  },
  cacheHours: 24,
  batch: { itemsMax: BATCH_ITEMS_MAX, shared: Object.keys(paramsSchema.shape) },
  weights: Object.values(REMOVE_BG_WEIGHTS),
  testResult(facts, params) {
    const { output_format } = params;
    const placement = readPlacement(params);
    const whole = { left: 0, top: 0, width: facts.width, height: facts.height };
    const { width, height } = placement ? layOutSubject(facts, whole, placement.layout) : facts;
    const isTransparent = parseBackground(backgroundFor(params))?.kind === 'transparent';
    const size = { width, height, isTransparent };
    return {
      files: [describeTestOutput(facts, output_format, size)],
      details: {
        original_size: `${facts.width}x${facts.height}`,
        subjects_detected: 1,
        matte_quality: 'high',
      },
    };
  },
  load: () => import('./run.ts'),
});

/**
 * Reads the facts about an image or a video.
 * @param formats accepted image formats; all known formats when absent
 */
async function probeInput(
  input: Blob,
  { media, formats }: { media?: readonly Media[] | undefined; formats?: readonly ImageFormat[] } = {},
): Promise<ImageFacts | VideoFacts> {
  if (((await detectMedia(input)) ?? media?.[0]) === 'video') return await probeCutoutVideo(input);
  const { formats: _, ...size } = IMAGE_LIMITS;
  return await probeUprightImage(input, { ...size, ...(formats && { formats }) });
}

/**
 * Estimates the memory of a run on an image or a video, in bytes.
 * @param modelBytesMax memory of the largest model that is available where the run takes place
 * @param canvasPixels of the canvas that the subject is placed on; 0 without one
 */
function memoryBytes(facts: Facts, modelBytesMax: number, canvasPixels = 0): number {
  const perPixel = 'durationSeconds' in facts ? VIDEO_BYTES_PER_PIXEL : IMAGE_BYTES_PER_PIXEL;
  const models = MATTE_MODELS.map(({ card }) => card.memoryBytes);
  const model = Math.min(modelBytesMax, Math.max(...models));
  return BASE_BYTES + perPixel * facts.width * facts.height + CANVAS_BYTES_PER_PIXEL * canvasPixels + model;
}

import { BATCH_ITEMS_MAX, defineOperation } from '../../core/operation/define-operation.ts';
import { imageNeeds } from '../../core/runtime/fit.ts';
import { getNames } from '../../media/image/find-format.ts';
import type { ImageFacts } from '../../media/image/image-header.ts';
import { probeUprightImage } from '../../media/image/upright-image.ts';
import { acceptsPrompt, OUTPAINT_ENGINES } from './engines.ts';
import { computeExtent, type Extent } from './geometry.ts';
import { assertResultSize, jobMembers, type OutpaintParams, paramsSchema, resultSeeds } from './schema.ts';
import { TEXT_MODELS } from './text-models.ts';
import { IMAGE_OUTPAINT_WEIGHTS } from './weights.ts';

const MEGAPIXEL = 1_000_000;
const PIXELS_MAX = 100 * MEGAPIXEL;

/** Memory of a run besides its pixels: the program, the search, the codecs. */
const BASE_BYTES = 900_000_000;
/** Memory of the largest model for it. */
const MODEL_BYTES = 1_500_000_000;
/** Memory of a model that reads the prompt, whose 16-bit numbers a processor computes in 32 bits. */
const TEXT_MODEL_BYTES = 9_000_000_000;
/** Bytes per pixel of an input: its raster of 16 bits, the decoder's copy, and the scaled one. */
const INPUT_BYTES_PER_PIXEL = 24;
/** Bytes per pixel of a result: its raster of 16 bits, and the encoder's copies. */
const RESULT_BYTES_PER_PIXEL = 35;
/** Longest run without pixels, and what each image and its megapixels may add, in seconds. */
const SECONDS = { base: 60, image: 60, megapixel: 10, max: 14_400 };
/**
 * Longest time of a result by a model that reads the prompt, on a processor: that of its coarse image, and of each
 * megapixel.
 */
const TEXT_SECONDS = { image: 1200, megapixel: 3000 };
/**
 * Usual processor time of a result, in seconds, and of each of its megapixels; and how much of it may hold up short
 * jobs.
 */
const USUAL_SECONDS = { image: 8, megapixel: 1, interactiveMax: 30 };

const LIMITS = `a ${getNames()} image of at most 50 MB and 100 megapixels.`;

export const imageOutpaint = defineOperation({
  id: 'image-outpaint',
  title: 'Extend images',
  summary: 'Extends an image past its borders, and fills the added area to match.',
  path: '/image-outpaint/v1/image-outpaint-request',
  authentication: 'subscription-key',
  inputs: {
    image_url: { media: ['image'], encoding: 'url', description: `HTTP(S) URL of ${LIMITS}` },
    image_b64: { media: ['image'], encoding: 'base64', description: `The bytes of ${LIMITS}` },
  },
  params: paramsSchema,
  limits: { inputBytesMax: 50_000_000, runSecondsMax: SECONDS.max, memoryBytesMax: 10_000_000_000 },
  probe: (input): Promise<ImageFacts> => probeUprightImage(input, { pixelsMax: PIXELS_MAX }),
  check(facts, params) {
    assertResultSize(computeExtent(facts, params), params.output_format);
  },
  imageLimits: { pixelsMax: PIXELS_MAX },
  acceptance: {
    measure: 'PSNR',
    per: 'megapixel',
    floor: 18,
    exempt: TEXT_MODELS.map(({ id }) => id),
    load: () => import('../../acceptance/extended.ts'),
  },
  engines: OUTPAINT_ENGINES,
  deviceNeeds: (facts, params) => imageNeeds(pixelBytes(facts, computeExtent(facts, params))),
  lane: (facts, params) =>
    acceptsPrompt(params.engine) || usualSeconds(facts, params) > USUAL_SECONDS.interactiveMax
      ? 'long'
      : 'interactive',
  limitsFor(facts, params, modelBytesMax) {
    const isByText = acceptsPrompt(params.engine);
    const { image, megapixel } = isByText ? TEXT_SECONDS : SECONDS;
    const seconds = SECONDS.base + params.num_images * (image + megapixel * megapixels(facts, params));
    // A machine that cannot load the model refuses it at once, and needs no memory for it.
    const modelBytes =
      isByText && modelBytesMax >= getMemory(params.engine)
        ? TEXT_MODEL_BYTES
        : Math.min(MODEL_BYTES, modelBytesMax);
    return {
      runSecondsMax: Math.min(SECONDS.max, seconds),
      memoryBytesMax: BASE_BYTES + pixelBytes(facts, computeExtent(facts, params)) + modelBytes,
    };
  },
  rates: { image: { amount: 120_000n, per: 'extended image' } },
  price: (_facts, { num_images }, { image }) => image * BigInt(num_images),
  waits: ({ sync_mode }) => sync_mode,
  outputCount: ({ num_images }) => num_images,
  jobMembers,
  batch: {
    itemsMax: BATCH_ITEMS_MAX,
    // No client waits for a batch.
    shared: Object.keys(paramsSchema.shape).filter((name) => name !== 'sync_mode'),
  },
  command: { name: 'extend', earlierNames: ['outpaint'], suffix: '-extend' },
  nameSuffix: (stem) => stem.replace('extended', '-extend'),
  weights: Object.values(IMAGE_OUTPAINT_WEIGHTS),
  testResult(facts, params, seed) {
    const { width, height } = computeExtent(facts, params);
    const { output_format } = params;
    const format = output_format === 'jpg' ? 'jpeg' : output_format;
    const seeds = resultSeeds(params, seed);
    return {
      files: seeds.map((each) => ({
        kind: 'image',
        name: `extended-${each}.${output_format}`,
        format,
        width,
        height,
      })),
      details: { seeds, fill_quality: 1 },
    };
  },
  load: () => import('./run.ts'),
});

/** Returns the memory of an engine's largest file, in bytes. */
function getMemory(engine: string): number {
  return OUTPAINT_ENGINES.find(({ id }) => id === engine)?.card?.memoryBytes ?? 0;
}

function usualSeconds(facts: ImageFacts, params: OutpaintParams): number {
  const { image, megapixel } = USUAL_SECONDS;
  return params.num_images * (image + megapixel * megapixels(facts, params));
}

/** Returns the megapixels of one result. */
function megapixels(facts: ImageFacts, params: OutpaintParams): number {
  const { width, height } = computeExtent(facts, params);
  return (width * height) / MEGAPIXEL;
}

/** Estimates the memory of a run's pixels, in bytes. Results are made one after the other. */
function pixelBytes(facts: ImageFacts, { width, height }: Extent): number {
  return facts.width * facts.height * INPUT_BYTES_PER_PIXEL + width * height * RESULT_BYTES_PER_PIXEL;
}

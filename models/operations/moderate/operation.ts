import { BATCH_ITEMS_MAX, defineOperation } from '../../core/operation/define-operation.ts';
import { getProblem, OperationError } from '../../core/operation/errors.ts';
import { imageNeeds } from '../../core/runtime/fit.ts';
import { type ImageFacts, probeImage } from '../../media/image/image-header.ts';
import { IMAGE_MODERATION_WEIGHTS } from '../../moderation/weights.ts';
import { categoryNeeds, coversCategories, MODERATION_ENGINE_LIST, MODERATION_ENGINES } from './engines.ts';
import { paramsSchema, resultSchema } from './schema.ts';

const BYTES_MAX = 4_000_000;
const SIDE_MIN = 50;
const SIDE_MAX = 2048;
const DEVICE_PIXELS_MAX = 100_000_000;
const LIMITS = `an image of at most 4 MB, ${SIDE_MIN} x ${SIDE_MIN} to ${SIDE_MAX} x ${SIDE_MAX} pixels`;

/** Memory of a run besides its pixels and its models. */
const BASE_BYTES = 500_000_000;
/** Raster, decoded source and colours. */
const BYTES_PER_PIXEL = 40;
/** CLIP's two encoders and a network for Sexual, which stay warm together. */
const MODELS_BYTES = 1_000_000_000;
/** Largest memory of a model while none but the bundled one is available. */
const BUNDLED_BYTES = 120_000_000;

export const imageModeration = defineOperation({
  id: 'image-moderation',
  title: 'Check images',
  summary: 'Scores an image on four categories of harm, and says whether one reaches a threshold.',
  path: '/content-safety/v1/image-moderation',
  authentication: 'subscription-key',
  inputs: {
    image_url: {
      media: ['image'],
      encoding: 'url',
      checksNamedType: true,
      description: `HTTP(S) URL of ${LIMITS}.`,
    },
    image_b64: { media: ['image'], encoding: 'base64', description: `The bytes of ${LIMITS}.` },
  },
  params: paramsSchema,
  lane: 'verdict',
  limits: { inputBytesMax: BYTES_MAX, runSecondsMax: 60, memoryBytesMax: 1_700_000_000 },
  async probe(input): Promise<ImageFacts> {
    const facts = await probeImage(input, { pixelsMax: SIDE_MAX * SIDE_MAX, sideMax: SIDE_MAX });
    if (Math.min(facts.width, facts.height) >= SIDE_MIN) return facts;
    const size = `${facts.width} x ${facts.height}`;
    const message = `The image has ${size} pixels. Both sides must have at least ${SIDE_MIN}.`;
    throw new OperationError('bad_request', message);
  },
  // A device reads larger images, too: the run reduces them to what the models see.
  probeOnDevice: (input) => probeImage(input, { pixelsMax: DEVICE_PIXELS_MAX }),
  acceptance: {
    measure: 'probability of the right label',
    per: 'megapixel',
    floor: 0.7,
    floors: { 'nsfw-mobilenet': 0.94 },
    load: () => import('../../acceptance/verdicts.ts'),
  },
  engines: MODERATION_ENGINES,
  engineList: MODERATION_ENGINE_LIST,
  serves: (engine, { categories }) => coversCategories(engine, categories),
  engineNeeds: ({ engine, categories }) => categoryNeeds(engine, categories),
  deviceNeeds: ({ width, height }) => imageNeeds(BYTES_PER_PIXEL * width * height),
  limitsFor: ({ width, height }, _params, modelBytesMax) => ({
    memoryBytesMax:
      BASE_BYTES +
      BYTES_PER_PIXEL * width * height +
      (modelBytesMax > BUNDLED_BYTES ? MODELS_BYTES : BUNDLED_BYTES),
  }),
  rates: { image: { amount: 2_000n, per: 'image' } },
  price: (_facts, _params, { image }) => image,
  waits: () => true,
  response: {
    schema: resultSchema,
    members: ({ processingMs: ms }) => ({ ms }),
    outOfTime: 'refused',
  },
  errorOverrides: {
    insufficient_balance: { status: 403, title: 'Insufficient Balance' },
    unfetchable: getProblem('unprocessable'),
    source_unavailable: getProblem('unprocessable'),
    unsupported: getProblem('unprocessable'),
    too_large: getProblem('unprocessable'),
    body_too_large: getProblem('unprocessable'),
    internal: getProblem('unavailable'),
  },
  attemptsMax: 1,
  batch: { itemsMax: BATCH_ITEMS_MAX, shared: Object.keys(paramsSchema.shape) },
  command: { name: 'moderate', earlierNames: ['safety'], suffix: '-moderate', extension: 'json' },
  weights: Object.values(IMAGE_MODERATION_WEIGHTS),
  testResult: (_facts, { categories, severity_threshold }) => ({
    files: [],
    details: {
      flagged: severity_threshold === 0,
      categories: categories.map((category) => ({ category, severity: 0 })),
      severity_threshold,
    },
  }),
  load: () => import('./run.ts'),
});

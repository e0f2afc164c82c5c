import { BATCH_ITEMS_MAX, defineOperation, type NamePattern } from '../../core/operation/define-operation.ts';
import { imageNeeds } from '../../core/runtime/fit.ts';
import { getFormat, getNames, getTarget } from '../../media/image/find-format.ts';
import type { ImageFacts } from '../../media/image/image-header.ts';
import { countImages } from '../../media/image/read-contents.ts';
import { probeUprightImage } from '../../media/image/upright-image.ts';
import { planGeometry } from './geometry.ts';
import { paramsSchema } from './schema.ts';

const PIXELS_MAX = 120_000_000;
const RUN_SECONDS_MAX = 240;
/** The price is the same for every image: a small file may be one that takes minutes. */
const PROCESSOR_SECONDS_MAX = 30;
/** Factor of a run that searches the quality of a file: it encodes several times. */
const SEARCH_FACTOR = 4;
const MEMORY_BYTES_MAX = 1_500_000_000;
/** Memory of a run besides its pixels, and per pixel at most: AVIF with alpha takes 40 bytes. */
const BASE_BYTES = 500_000_000;
const BYTES_PER_PIXEL = 50;
/** On a device the largest part are the decoded samples, their copy for an encoder, and the file. */
const DEVICE_BYTES_PER_PIXEL = 12;

const LIMITS = `a ${getNames()} image, at most 50 MB and 120 megapixels.`;

/** Facts of an input, as shown upright. */
export interface ConvertFacts extends ImageFacts {
  /** Frames of an animation, or pages of a document. Absent for jobs of earlier versions. */
  readonly imageCount?: number;
}

export const mediaConvertImage = defineOperation({
  id: 'media-convert-image',
  title: 'Convert images',
  summary: 'Converts an image to another format.',
  path: '/media-tools/v1/image-convert',
  authentication: 'subscription-key',
  inputs: {
    image_url: { media: ['image'], encoding: 'url', description: `HTTP(S) URL of ${LIMITS}` },
    image_b64: { media: ['image'], encoding: 'base64', description: `The bytes of ${LIMITS}` },
  },
  params: paramsSchema,
  imageLimits: { pixelsMax: PIXELS_MAX },
  lane: 'interactive',
  limits: {
    inputBytesMax: 50_000_000,
    runSecondsMax: RUN_SECONDS_MAX,
    memoryBytesMax: MEMORY_BYTES_MAX,
    processorSecondsMax: PROCESSOR_SECONDS_MAX,
  },
  async probe(input): Promise<ConvertFacts> {
    const facts = await probeUprightImage(input, { pixelsMax: PIXELS_MAX });
    return { ...facts, imageCount: await countImages(input, facts) };
  },
  check(facts, params) {
    planGeometry({ ...facts, frameCount: facts.imageCount ?? 1 }, params);
  },
  // Files of several images hold more than the size of one shows.
  limitsFor({ format, width, height, isAnimated }, params) {
    const result = planGeometry({ width, height, frameCount: 1 }, params).size;
    const pixels = Math.max(width * height, result.width * result.height);
    const hasSeveral = isAnimated || getFormat(format).holds.several !== undefined;
    return {
      runSecondsMax: RUN_SECONDS_MAX * (params.max_bytes === undefined ? 1 : SEARCH_FACTOR),
      memoryBytesMax: hasSeveral ? MEMORY_BYTES_MAX : BASE_BYTES + BYTES_PER_PIXEL * pixels,
    };
  },
  deviceNeeds: ({ width, height }) => imageNeeds(DEVICE_BYTES_PER_PIXEL * width * height),
  rates: { image: { amount: 2_000n, per: 'image' } },
  price: (_facts, _params, { image }) => image,
  batch: { itemsMax: BATCH_ITEMS_MAX, shared: Object.keys(paramsSchema.shape) },
  command: { name: 'convert', earlierNames: ['image-convert'], suffix: '' },
  testResult({ width, height }, params) {
    const { to_format } = params;
    const { size } = planGeometry({ width, height, frameCount: 1 }, params);
    return {
      files: [{ kind: 'image', name: `output.${to_format}`, format: getTarget(to_format).id, ...size }],
    };
  },
  namePattern: readNamePattern,
  load: () => import('./run.ts'),
});

/** Reads the pattern of a result's name from params of any version. */
function readNamePattern(params: unknown): NamePattern | undefined {
  const { output_name: pattern } = { ...(params as { readonly output_name?: unknown }) };
  return typeof pattern === 'string' ? { pattern, step: 'convert' } : undefined;
}

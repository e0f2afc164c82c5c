import { BATCH_ITEMS_MAX, defineOperation } from '../../core/operation/define-operation.ts';
import { getFormat, getNames, getTarget } from '../../media/image/find-format.ts';
import { probeImage } from '../../media/image/image-header.ts';
import { paramsSchema } from './schema.ts';

const MEMORY_BYTES_MAX = 1_500_000_000;
/** Memory of a run besides its pixels, and per pixel at most: AVIF with alpha takes 40 bytes. */
const BASE_BYTES = 500_000_000;
const BYTES_PER_PIXEL = 50;
/** On a device the largest part are the decoded samples, their copy for an encoder, and the file. */
const DEVICE_BYTES_PER_PIXEL = 12;

export const mediaConvertImage = defineOperation({
  id: 'media-convert-image',
  title: 'Convert images',
  summary: 'Converts an image to another format.',
  path: '/media-tools/v1/image-convert',
  authentication: 'subscription-key',
  inputs: {
    image_url: {
      media: ['image'],
      encoding: 'url',
      description: `HTTP(S) URL of a ${getNames()} image, at most 50 MB and 100 megapixels.`,
    },
  },
  params: paramsSchema,
  lane: 'interactive',
  limits: { inputBytesMax: 50_000_000, runSecondsMax: 240, memoryBytesMax: MEMORY_BYTES_MAX },
  probe: (input) => probeImage(input, { pixelsMax: 100_000_000 }),
  // Files of several images hold more than the size of one shows.
  limitsFor: ({ format, width, height, isAnimated }) => ({
    memoryBytesMax:
      isAnimated || getFormat(format).holds.several
        ? MEMORY_BYTES_MAX
        : BASE_BYTES + BYTES_PER_PIXEL * width * height,
  }),
  deviceNeeds: ({ width, height }, { to_format }) => ({
    memoryBytes: DEVICE_BYTES_PER_PIXEL * width * height,
    ...(getTarget(to_format).needsThreads && { threadsFor: `Writing ${getTarget(to_format).name}` }),
  }),
  rates: { image: { amount: 2_000n, per: 'image' } },
  price: (_facts, _params, { image }) => image,
  batch: { itemsMax: BATCH_ITEMS_MAX, shared: Object.keys(paramsSchema.shape) },
  command: { name: 'convert', earlierNames: ['image-convert'], suffix: '' },
  testResult: ({ width, height }, { to_format }) => ({
    files: [{ kind: 'image', name: `output.${to_format}`, format: getTarget(to_format).id, width, height }],
  }),
  load: () => import('./run.ts'),
});

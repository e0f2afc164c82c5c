import { probeImage } from '../kernels/image-header.ts';
import { defineOperation, type Rate } from '../operation.ts';
import { paramsSchema } from './schema.ts';

const PER_IMAGE: Rate = { amount: 2_000n, per: 'image' };

export const mediaConvertImage = defineOperation({
  id: 'media-convert-image',
  title: 'Convert images',
  summary: 'Converts an image to another format.',
  path: '/media-tools/v1/image-convert',
  authentication: 'subscription-key',
  inputs: {
    image_url: {
      media: 'image',
      encoding: 'url',
      description:
        'HTTP(S) URL of a HEIC, WebP, PNG, JPG, BMP, TIFF, AVIF or GIF image, at most 50 MB and 100 megapixels.',
    },
  },
  params: paramsSchema,
  limits: { inputBytesMax: 50_000_000, runSecondsMax: 240, memoryBytesMax: 1_500_000_000 },
  probe: (input) => probeImage(input, { pixelsMax: 100_000_000 }),
  rates: [PER_IMAGE],
  price: () => PER_IMAGE.amount,
  load: () => import('./run.ts'),
});

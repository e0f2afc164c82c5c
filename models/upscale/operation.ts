import { OperationError } from '../errors.ts';
import { probeImage } from '../files/headers/image-header.ts';
import { defineOperation, type Rate } from '../operation.ts';
import { upscaledFormat } from './formats.ts';
import { memoryBytes } from './memory.ts';
import { paramsSchema, resultSchema } from './schema.ts';

const MEGAPIXEL = 1_000_000;
const OUTPUT_PIXELS_MAX = 100 * MEGAPIXEL;
const CREDIT: bigint = 1_000n;
const PER_MEGAPIXEL: Rate = { amount: 5_000n, per: 'started megapixel of the result' };

export const upscale = defineOperation({
  id: 'upscale',
  title: 'Upscale images',
  summary: 'Enlarges an image two, four or eight times, with sharp edges.',
  path: '/v1/upscale',
  authentication: 'bearer',
  inputs: {
    image_url: {
      media: ['image'],
      encoding: 'url',
      description:
        'HTTP(S) URL of a JPG, PNG, WebP, HEIC, AVIF, TIFF, BMP or GIF image of at most 50 MB, whose result has at most 100 megapixels.',
    },
  },
  params: paramsSchema,
  limits: { inputBytesMax: 50_000_000, runSecondsMax: 900, memoryBytesMax: 6_000_000_000 },
  probe: (input) => probeImage(input, { pixelsMax: OUTPUT_PIXELS_MAX }),
  lane: 'interactive',
  check({ width, height }, { scale, output_format }) {
    upscaledFormat(output_format);
    const pixels = width * height * scale ** 2;
    if (pixels <= OUTPUT_PIXELS_MAX) return;
    throw new OperationError(
      'bad_request',
      `scale: ${width} x ${height} pixels enlarged ${scale} times are ${Math.ceil(pixels / MEGAPIXEL)} megapixels. At most 100 are allowed: use a smaller factor or image.`,
    );
  },
  limitsFor: (facts, { scale }, modelBytesMax) => ({
    memoryBytesMax: memoryBytes(facts, scale, modelBytesMax),
  }),
  rates: [PER_MEGAPIXEL],
  price: ({ width, height }, { scale }) =>
    PER_MEGAPIXEL.amount * BigInt(Math.ceil((width * height * scale ** 2) / MEGAPIXEL)),
  waits: () => true,
  response: {
    schema: resultSchema,
    members: ({ urls: [output_url], charged }) => ({
      status: 'success' as const,
      output_url,
      credits_used: Number(charged) / Number(CREDIT),
    }),
    outOfTime: 'accepted',
  },
  load: () => import('./run.ts'),
});

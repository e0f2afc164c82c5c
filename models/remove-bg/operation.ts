import { probeImage } from '../kernels/image-header.ts';
import { defineOperation, type Rate } from '../operation.ts';
import { parseBackground } from './background.ts';
import { paramsSchema, resultSchema } from './schema.ts';

const SIDE_MAX = 8000;
const LIMITS = 'a JPG, PNG, WebP or BMP image of at most 25 MB and 8000 x 8000 pixels';
const PER_IMAGE: Rate = { amount: 10_000n, per: 'image' };

export const removeBg = defineOperation({
  id: 'remove-bg',
  title: 'Remove backgrounds',
  summary: 'Cuts the subject of an image out, transparent or before another background.',
  path: '/v1/remove-bg',
  authentication: 'bearer',
  inputs: {
    image_url: { media: 'image', encoding: 'url', description: `HTTP(S) URL of ${LIMITS}.` },
    image_b64: { media: 'image', encoding: 'base64', description: `The bytes of ${LIMITS}.` },
  },
  params: paramsSchema,
  attachments({ background }) {
    const parsed = parseBackground(background);
    return parsed?.kind === 'picture' ? [{ name: 'background', media: 'image', url: parsed.url }] : [];
  },
  limits: { inputBytesMax: 25_000_000, runSecondsMax: 300, memoryBytesMax: 4_000_000_000 },
  probe: (input) =>
    probeImage(input, {
      formats: ['jpeg', 'png', 'webp', 'bmp'],
      pixelsMax: SIDE_MAX * SIDE_MAX,
      sideMax: SIDE_MAX,
    }),
  rates: [PER_IMAGE],
  price: () => PER_IMAGE.amount,
  waits: () => true,
  result: resultSchema,
  load: () => import('./run.ts'),
});

import { OperationError } from '../errors.ts';
import { probeImage } from '../kernels/image-header.ts';
import { defineOperation, type Rate } from '../operation.ts';
import { paramsSchema } from './schema.ts';

const SIDE_MAX = 8000;
const PER_IMAGE: Rate = { amount: 10_000n, per: 'image' };

export const removeBg = defineOperation({
  id: 'remove-bg',
  title: 'Remove backgrounds',
  summary: 'Cuts the subject of an image out, transparent or before another background.',
  path: '/v1/remove-bg',
  authentication: 'bearer',
  inputs: {
    image_url: {
      media: 'image',
      description: 'HTTP(S) URL of an image of at most 25 MB and 8000 x 8000 pixels.',
    },
  },
  params: paramsSchema,
  limits: { inputBytesMax: 25_000_000, runSecondsMax: 300, memoryBytesMax: 4_000_000_000 },
  async probe(input) {
    const facts = await probeImage(input, { pixelsMax: SIDE_MAX * SIDE_MAX });
    if (Math.max(facts.width, facts.height) > SIDE_MAX) {
      throw new OperationError(
        'bad_request',
        `The image has ${facts.width} x ${facts.height} pixels. At most ${SIDE_MAX} x ${SIDE_MAX} are allowed.`,
      );
    }
    return facts;
  },
  rates: [PER_IMAGE],
  price: () => PER_IMAGE.amount,
  load: () => import('./run.ts'),
});

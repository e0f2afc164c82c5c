import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchPath } from '../../../models/core/operation/batch.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ MODELS_OFFLINE: '1' }, '0.003');
});
afterAll(async () => {
  expect(await api.ctx.db.$count(schema.jobs)).toBe(0);
  await api.close();
});

const BATCHES = Object.values<Operation>(OPERATIONS).filter(({ batch }) => batch !== undefined);
const PATHS = BATCHES.map((operation) => batchPath(operation));
const getBody = (count: number) => ({ items: Array.from({ length: count }, () => ({})) });

it('images of five operations and pipelines can be sent in batches', () => {
  expect(PATHS).toEqual([
    '/media-tools/v1/image-convert/batch',
    '/v1/remove-bg/batch',
    '/content-safety/v1/image-moderation/batch',
    '/image-outpaint/v1/image-outpaint-request/batch',
    '/v1/upscale/batch',
    '/v2/pipelines/batch',
  ]);
});

describe.each(PATHS)('POST %s', (path) => {
  it.each([
    ['101 items', 101],
    ['no item', 0],
  ])('returns 400 naming the items for %s', async (_name, count) => {
    // The bucket of this account covers the lowest price of two operations only.
    const response = await api.post(path, getBody(count));
    const isPoor = [402, 403].includes(response.status);
    expect(isPoor ? 'insufficient_balance' : response.body.field).toBe(isPoor ? response.body.code : 'items');
  });

  it('returns 401 without a key', async () => {
    expect((await api.call('POST', `/api${path}`, { body: getBody(1) })).status).toBe(401);
  });
});

it.each([
  ['/media-tools/v1/image-convert/batch', [{ to_format: 'png' }, { to_format: 'webp' }], 402],
  [
    '/content-safety/v1/image-moderation/batch',
    [{ categories: ['Sexual'] }, { categories: ['Sexual'], severity_threshold: 4 }],
    403,
  ],
])(
  'POST %s returns the status of its operation when the wallet does not cover all of %j',
  async (path, params, status) => {
    const items = params.map((each) => ({ image_url: `${api.files.url}/subject.png`, ...each }));
    const response = await api.post(path, { items });
    expect([response.status, response.body.code]).toEqual([status, 'insufficient_balance']);
  },
);

it('POST /media-tools/v1/image-convert/batch returns 400 for a format that no item may have', async () => {
  const response = await api.post('/media-tools/v1/image-convert/batch', { ...getBody(1), to_format: 'svg' });
  expect([response.status, response.body.field]).toEqual([400, 'to_format']);
});

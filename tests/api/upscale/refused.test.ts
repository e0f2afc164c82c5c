import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({}, '0.006');
});
afterAll(async () => {
  expect(await api.ctx.db.$count(schema.jobs)).toBe(0);
  await api.close();
});

const body = (params: object = {}) => ({ image_url: `${api.files.url}/subject.png`, ...params });
const withKey = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

it('POST /v1/upscale returns 401 without a key, naming the header of its family', async () => {
  const response = await api.call('POST', '/api/v1/upscale', { body: body() });
  expect(response.status).toBe(401);
  expect(response.body.message).toMatch(/^The header Authorization: Bearer <API_KEY> is missing/);
});

it('POST /v1/upscale returns 401 for an unknown key', async () => {
  const response = await api.call('POST', '/api/v1/upscale', {
    body: body(),
    headers: withKey('mk_00000000unknown'),
  });
  expect([response.status, response.body.error]).toEqual([401, 'Unauthorized']);
});

it('POST /v1/upscale returns 402 when the balance is below the price of the enlarged image', async () => {
  // 160 x 120 pixels eight times as wide and high are 1.2 megapixels: two started ones.
  const response = await api.post('/v1/upscale', body({ scale: 8 }));
  expect([response.status, response.body.error]).toEqual([402, 'Insufficient Balance']);
});

it('POST /v1/upscale returns 403 for a key of another operation', async () => {
  const key = { accountId: api.accountId, name: 'other', operations: ['remove-bg'] };
  const { apiKey } = await issueKey(api.ctx.db, key);
  const response = await api.post('/v1/upscale', body(), withKey(apiKey));
  expect([response.status, response.body.error]).toEqual([403, 'Forbidden']);
});

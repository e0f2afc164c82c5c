import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({}, '0.009');
});
afterAll(async () => {
  expect(await api.ctx.db.$count(schema.jobs)).toBe(0);
  await api.close();
});

const body = () => ({ image_url: `${api.files.url}/subject.png` });

it('POST /v1/remove-bg returns 401 without a key, naming the header of its family', async () => {
  const response = await api.call('POST', '/api/v1/remove-bg', { body: body() });
  expect(response.status).toBe(401);
  expect(response.body.message).toMatch(/^The header Authorization: Bearer <API_KEY> is missing/);
});

it('POST /v1/remove-bg returns 402 when the balance is below the price', async () => {
  const response = await api.removeBg(body());
  expect(response.status).toBe(402);
  expect(response.body.error).toBe('Insufficient Balance');
});

it('POST /v1/remove-bg returns 403 for a key of another operation', async () => {
  const key = { accountId: api.accountId, name: 'other', operations: ['media-convert-image'] };
  const { apiKey } = await issueKey(api.ctx.db, key);
  const response = await api.removeBg(body(), { authorization: `Bearer ${apiKey}` });
  expect([response.status, response.body.error]).toEqual([403, 'Forbidden']);
});

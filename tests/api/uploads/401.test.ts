import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it.each([
  ['no key', {}],
  ['an unknown key', { 'ocp-apim-subscription-key': 'mk_unknown' }],
])('POST /uploads returns 401 for %s and stores nothing', async (_name, headers) => {
  const response = await api.call('POST', '/api/uploads', { body: new Uint8Array(10), headers });
  expect(response.status).toBe(401);
  expect(response.body.error).toBe('Unauthorized');
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(await api.ctx.db.$count(schema.uploads)).toBe(0);
});

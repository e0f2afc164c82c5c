import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../../../models/registry.ts';
import { listRoutes } from '../../../server/api/routes/list-routes.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
let id: string;
let headers: Record<string, string>;
beforeAll(async () => {
  api = await startApi();
  id = (await api.convert({ image_url: api.imageUrl, to_format: 'webp' })).body.request_id;
  const { accountId } = await openAccount(api.ctx.db, 'other@example.com');
  const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'other' });
  headers = { authorization: `Bearer ${apiKey}` };
});
afterAll(() => api.close());

// PUT makes what the account does not have: tests/api/pipelines/presets.test.ts tries the name of another account's.
const routes = listRoutes(OPERATIONS)
  .filter(({ audience, method, path }) => audience === 'programs' && method !== 'PUT' && path.includes('{'))
  .map(({ method, path }) => ({ method, path }));

it('knows routes that take an id', () => {
  expect(routes.length).toBeGreaterThanOrEqual(3);
});

it.each(routes)('$method $path is 404 for the id of another account', async ({ method, path }) => {
  const call = (name: string) => api.call(method, `/api${path.replace(/\{.*\}/, name)}`, { headers });
  const strange = await call(id);
  const unknown = await call(id.replace(/.{4}$/, '0000'));
  expect(strange.status).toBe(404);
  expect(unknown.status).toBe(404);
  expect((await api.status(id)).body.status).toBe('QUEUED');
});

it('lists and sums only what is the account’s own', async () => {
  expect((await api.call('GET', '/api/v2/requests', { headers })).body.requests).toEqual([]);
  expect((await api.call('GET', '/api/v2/usage', { headers })).body.usage).toEqual([]);
});

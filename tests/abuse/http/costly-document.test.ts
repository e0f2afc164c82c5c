import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('GET /openapi.json makes the document once, and responds with 304 to a client that has it', async () => {
  const stringify = vi.spyOn(JSON, 'stringify');
  const first = await api.call('GET', '/api/openapi.json');
  const second = await api.call('GET', '/api/openapi.json');
  const etag = first.headers.get('etag') ?? '';
  const third = await api.call('GET', '/api/openapi.json', { headers: { 'if-none-match': etag } });
  expect([first.status, second.status, third.status]).toEqual([200, 200, 304]);
  expect(second.body).toEqual(first.body);
  expect(third.body).toBe('');
  const documents = stringify.mock.calls.filter(([value]) => value?.openapi === '3.1.0');
  expect(documents).toHaveLength(1);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/service/api.ts';

const apis: TestApi[] = [];
let plain: TestApi;
let clustered: TestApi;
beforeAll(async () => {
  plain = await startApi({ MODELS_OFFLINE: '1' });
  clustered = await startApi({ MODELS_OFFLINE: '1', INFERENCE_ENDPOINTS: 'u2netp=http://127.0.0.1:9/v2' });
  apis.push(plain, clustered);
});
afterAll(() => Promise.all(apis.map((api) => api.close())));

const getNext = async (api: TestApi, id: string) => {
  const { status, body } = await api.call('GET', `/api/engines/${id}`);
  return [status, body.engine];
};

it('GET /engines/<operation> returns 200 with the engine that auto would use now', async () => {
  expect(await getNext(plain, 'remove-bg')).toEqual([200, 'matte']);
  expect(await getNext(clustered, 'remove-bg')).toEqual([200, 'u2netp']);
});

it('GET /engines/<operation> returns 404 for an operation without engines, and for an unknown one', async () => {
  for (const id of ['media-convert-image', 'toString', 'nothing']) {
    expect((await getNext(plain, id))[0]).toBe(404);
  }
});

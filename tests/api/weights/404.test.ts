import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/service/api.ts';

describe('GET /weights/<sha256> returns 404', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  it.each(['0'.repeat(64), 'u2netp', '..%2Fsecrets'])(
    'for %s, which is not in the catalogue',
    async (name) => {
      const { status, body } = await api.call('GET', `/api/weights/${name}`);
      expect([status, body.error]).toEqual([404, 'Not Found']);
    },
  );
});

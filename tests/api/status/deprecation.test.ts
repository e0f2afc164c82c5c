import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDeprecationHeaders } from '../../../models/core/operation/deprecation.ts';
import { listDeprecations } from '../../../server/api/deprecations.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const DEPRECATION = { since: '2026-11-26', sunset: '2027-06-01' };
const DEPRECATED = {
  'test-run': { ...OPERATIONS['test-run'], deprecation: DEPRECATION },
};

let api: TestApi;
beforeAll(async () => {
  const module = new URL('../../support/operations/test-operations.ts', import.meta.url);
  api = await startApi({ PUBLIC_URL: 'https://d.example' }, '1', { operations: DEPRECATED, module });
});
afterAll(() => api.close());

describe('a deprecated route', () => {
  it('announces its end with each response, refusals included', async () => {
    const good = await api.post('/test', { file_url: api.imageUrl, behaviour: 'copy' });
    const bad = await api.post('/test', {});
    expect([good.status, bad.status]).toEqual([202, 400]);
    for (const { headers } of [good, bad]) {
      expect(headers.get('deprecation')).toBe('@1795651200');
      expect(headers.get('sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT');
      expect(headers.get('link')).toBe(
        '<https://d.example/docs/deprecation>; rel="deprecation"; type="text/html"',
      );
      expect(headers.get('access-control-expose-headers')).toContain('Sunset');
    }
    expect((await api.call('GET', '/api/health')).headers.has('deprecation')).toBe(false);
  });

  it('is listed, and marked in the OpenAPI document', async () => {
    expect([...listDeprecations(DEPRECATED)]).toEqual([
      ['POST /test', DEPRECATION],
      ['POST /test/batch', DEPRECATION],
    ]);
    expect(listDeprecations(OPERATIONS).size).toBe(0);
    const { body } = await api.call('GET', '/api/openapi.json');
    expect(body.paths['/test'].post.deprecated).toBe(true);
    expect(body.paths['/v2/wallet'].get.deprecated).toBeUndefined();
  });

  it('stays for the period of the policy', () => {
    expect(() => buildDeprecationHeaders({ since: '2026-11-26', sunset: '2027-01-01' }, '')).toThrow(
      /180 days/,
    );
  });
});

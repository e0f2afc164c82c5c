import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBg } from '../../../../models/operations/remove-bg/operation.ts';
import { computeCacheKey } from '../../../../server/api/submit/reuse-result.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const params = { engine: 'auto', subject: 'all', background: 'transparent', output_format: 'png' };
const files = [{ name: 'input', sha256: createHash('sha256').update('otter').digest() }];
const keyOf = async (operation: typeof removeBg, changes: Record<string, unknown> = {}) =>
  (await computeCacheKey({ ctx: api.ctx, operation }, { ...params, ...changes }, files))?.toString('hex');

describe('the cache key of a request', () => {
  it('is the same for the same request', async () => {
    expect(await keyOf(removeBg)).toBe(await keyOf({ ...removeBg }));
  });

  it('is another one once the weights have another version', async () => {
    const [first, ...others] = removeBg.weights ?? [];
    if (!first) throw new Error('the operation has no weights');
    const weights = [{ ...first, sha256: '0'.repeat(64) }, ...others];
    expect(await keyOf({ ...removeBg, weights })).not.toBe(await keyOf(removeBg));
  });

  it('is another one once auto takes another engine', async () => {
    const engines = removeBg.engines?.filter(({ id }) => id === 'matte') ?? [];
    const others = removeBg.engines?.filter(({ id }) => id === 'u2netp') ?? [];
    expect(await keyOf({ ...removeBg, engines })).not.toBe(await keyOf({ ...removeBg, engines: others }));
  });

  it('is absent for an operation without a cache', async () => {
    const { cacheHours: _, ...uncached } = removeBg;
    expect(await computeCacheKey({ ctx: api.ctx, operation: uncached }, params, files)).toBeUndefined();
  });
});

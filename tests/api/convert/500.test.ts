import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { deleteOrphans } from '../../../server/jobs/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const HOUR_MS = 3_600_000;

describe('POST /media-tools/v1/image-convert returns 500', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  it('when the reply to the commit is lost, and keeps the input of the job', async () => {
    const { ctx } = api;
    const transaction = ctx.db.transaction.bind(ctx.db);
    vi.spyOn(ctx.db, 'transaction').mockImplementationOnce(async (...given) => {
      await transaction(...given);
      throw new Error('the connection was closed');
    });
    const response = await api.convert({ image_url: api.imageUrl, to_format: 'webp' });
    expect(response.status).toBe(500);
    const [job] = await ctx.db.select().from(schema.jobs);
    const [input, ...others] = await inputs(api);
    expect(input).toContain(`inputs/${job?.id}/`);
    expect(others).toEqual([]);
  });

  it('when the connection breaks before the commit, and leaves only an orphaned object', async () => {
    const { ctx } = api;
    const before = await inputs(api);
    vi.spyOn(ctx.db, 'transaction').mockRejectedValueOnce(new Error('the connection was closed'));
    const response = await api.convert({ image_url: api.imageUrl, to_format: 'webp' });
    expect(response.status).toBe(500);
    expect(await ctx.db.$count(schema.jobs)).toBe(1);
    expect(await deleteOrphans(ctx, new Date(Date.now() + 7 * HOUR_MS))).toBe(1);
    expect(await inputs(api)).toEqual(before);
  });
});

async function inputs({ ctx }: TestApi): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of ctx.storage.list('inputs/', new Date(Date.now() + HOUR_MS))) keys.push(key);
  return keys;
}

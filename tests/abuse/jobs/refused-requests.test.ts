import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Prober } from '../../../server/base/context.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const PER_HOUR = 3;

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ FAILURES_PER_HOUR: String(PER_HOUR) });
});
afterAll(() => api.close());

it('requests that are refused for their files count as failures, and too many get 429', async () => {
  const { body } = await api.upload(Buffer.from('no image'));
  const broken = () => api.convert({ image_url: body.upload_url, to_format: 'png' });
  const statuses: number[] = [];
  for (let count = 0; count < PER_HOUR; count++) statuses.push((await broken()).status);
  expect(statuses).toEqual(Array(PER_HOUR).fill(400));
  const refused = await broken();
  expect(refused.status).toBe(429);
  expect(refused.body.message).toMatch(/failed by their inputs: the limit is \d+ an hour\./);
});

it.each([
  ['a request', '/media-tools/v1/image-convert', (image_url: string) => ({ image_url, to_format: 'png' })],
  [
    'a quote',
    '/v2/quotes',
    (image_url: string) => ({
      model_id: 'media-convert-image',
      request: { image_url, to_format: 'png' },
    }),
  ],
  ['an item of a batch', '/v1/remove-bg/batch', (image_url: string) => ({ items: [{ image_url }] })],
])('%s that is refused for its file counts by the seconds of its probe', async (_, path, body) => {
  const api = await startApi();
  Object.assign(api.ctx, {
    prober: {
      async probe(...[, { onStart }]: Parameters<Prober['probe']>) {
        onStart?.();
        vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 15_000);
        throw new OperationError('bad_request', 'The file is damaged.');
      },
    },
  });
  await api.post(path, body(api.imageUrl));
  const [row] = await api.ctx.db.execute<{ spent: number }>(sql`select spent from failure_budgets`);
  expect(row?.spent).toBeGreaterThan(1.9);
  expect(row?.spent).toBeLessThanOrEqual(2);
  await api.close();
});

it('a refused item of a batch counts while the others still arrive', async () => {
  const api = await startApi();
  const { probe } = api.ctx.prober as Prober;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const count = async () =>
    (await api.ctx.db.execute<{ spent: number }>(sql`select spent from failure_budgets`))[0]?.spent;
  const slow: Prober['probe'] = async (request, options) => {
    await released;
    return await probe(request, options);
  };
  Object.assign(api.ctx, { prober: { probe: slow } });
  const items = [{ image_url: `${api.files.url}/missing.png` }, { image_url: api.imageUrl }];
  const sent = api.removeBgBatch({ items });
  await expect.poll(count).toBe(1);
  release();
  expect((await sent).status).toBe(202);
  await api.close();
});

it('requests that name unknown fields cost no time, and do not count', async () => {
  const api = await startApi({ FAILURES_PER_HOUR: '1' });
  for (let count = 0; count < 3; count++) {
    expect((await api.convert({ nonsense: count })).status).toBe(400);
  }
  await api.close();
});

import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import { forgetResults } from '../../support/service/forget-results.ts';

let api: TestApi;
let before: bigint;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  await api.startRunner();
});
beforeEach(async () => {
  await forgetResults(api.ctx.db);
  before = await balance();
});
afterEach(async () => {
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
});
afterAll(() => api.close());

const url = () => `${api.files.url}/subject.png`;
const sky = () => `${api.files.url}/sky.png`;
const balance = async () => (await readBalance(api.ctx.db, api.accountId)).balance;
const spent = async () => before - (await balance());

/** Returns the hash of the file at a URL of a result. */
async function hashOf(of: string): Promise<string> {
  const key = `outputs${new URL(of).pathname.replace('/cdn', '')}`;
  const [file] = await api.ctx.db.select().from(schema.files).where(eq(schema.files.key, key));
  return file?.sha256.toString('hex') ?? '';
}

async function batch(items: readonly object[], headers: Record<string, string> = {}) {
  const { body } = await api.removeBgBatch({ items }, headers);
  return await api.ended(body.request_id);
}

describe('POST /v1/remove-bg/batch within 24 hours', { timeout: 120_000 }, () => {
  it('reuses the result of a single request at no charge, and processes only the rest', async () => {
    const { body: first } = await api.removeBg({ image_url: url() });
    const image_b64 = (await drawRedBall()).toString('base64');
    const job = await batch([{ image_url: url(), subject: 'primary' }, { image_b64 }, { image_b64: '***' }]);
    expect(job.billing).toEqual({ held_usd: '0.00', charged_usd: '0.01' });
    const { request_id, output_url, ...result } = first;
    const [file] = job.output.files.slice(1);
    const free = { cached: true, charged_usd: '0.00', files: [file] };
    expect(job.output.items[1]).toEqual({ ...result, ...free, output_url: file.url });
    expect(job.output.items[0]).toMatchObject({ status: 'success', cached: false });
    expect(job.output.items[2].status).toBe('failed');
    expect(job.output.items[1].output_url).not.toBe(output_url);
    expect(job.output.media_url).toEqual([job.output.items[0].output_url, job.output.items[1].output_url]);
    expect(await spent()).toBe(20_000n);
  });

  it('shares its results with later requests and batches at no charge', { tags: ['long'] }, async () => {
    const items = [
      { image_url: url() },
      { image_url: url(), background: sky() },
      { image_url: url(), background: url() },
    ];
    const first = await batch(items);
    expect(await spent()).toBe(30_000n);
    const single = await api.removeBg({ image_url: url(), background: sky() });
    const { output_url, files: _, charged_usd: _charge, ...second } = first.output.items[1];
    expect(single).toMatchObject({ status: 200, body: { ...second, cached: true } });
    expect(single.body.request_id).not.toBe(first.request_id);
    expect(single.body.output_url).not.toBe(output_url);
    await api.ctx.db.update(schema.jobs).set({ completedAt: new Date(Date.now() - 23 * 3_600_000) });
    const again = await batch(items);
    const free = { cached: true, charged_usd: '0.00' };
    const cached = ({ files: _, output_url: _url, ...item }: Record<string, unknown>) => ({
      ...item,
      ...free,
    });
    expect(again.output.items).toMatchObject(first.output.items.map(cached));
    expect(again.output.media_url).not.toEqual(first.output.media_url);
    expect(again.billing.charged_usd).toBe('0.00');
    expect(await spent()).toBe(30_000n);
  });

  it('gives a single request the file of the requested image alone', { tags: ['long'] }, async () => {
    const two = [{ image_url: url() }, { image_url: sky() }];
    const { output } = await batch(two);
    const hit = await api.removeBg({ image_url: sky() });
    expect(hit.body.cached).toBe(true);
    const { body: job } = await api.status(hit.body.request_id);
    expect(job).toMatchObject({ request_id: hit.body.request_id, model_id: 'remove-bg', cached: true });
    expect(job.output.media_url).toEqual([hit.body.output_url]);
    const [first, second] = await Promise.all(output.media_url.map(hashOf));
    expect(await hashOf(job.output.media_url[0])).toEqual(second);
    expect(second).not.toEqual(first);
  });

  it('processes every item again with no-cache', { tags: ['long'] }, async () => {
    const first = await batch([{ image_url: url() }]);
    const again = await batch([{ image_url: url() }], { 'cache-control': 'no-cache' });
    expect(again.output.items[0].cached).toBe(false);
    expect(again.output.items[0].output_url).not.toBe(first.output.items[0].output_url);
    expect(await spent()).toBe(20_000n);
  });

  it('processes an item again when its result is about to expire', { tags: ['long'] }, async () => {
    await batch([{ image_url: url() }]);
    await api.ctx.db.update(schema.files).set({ expiresAt: new Date(Date.now() + 30 * 60_000) });
    expect((await batch([{ image_url: url() }])).output.items[0].cached).toBe(false);
  });

  it('does not consume an upload for a cached result', { tags: ['long'] }, async () => {
    await batch([{ image_url: url() }]);
    const { upload_url } = (await api.upload(new Uint8Array(await drawRedBall()))).body;
    expect((await batch([{ image_url: upload_url }])).output.items[0].cached).toBe(true);
    const other = await api.removeBg({ image_url: upload_url, subject: 'primary' });
    expect(other).toMatchObject({ status: 200, body: { cached: false } });
  });

  it('reports a shared result that has expired since', { tags: ['long'] }, async () => {
    await batch([{ image_url: url() }]);
    const job = await batch([{ image_url: url() }]);
    await api.ctx.db.update(schema.files).set({ deletedAt: new Date() });
    const { body } = await api.status(job.request_id);
    expect(body.output).toMatchObject({
      media_url: [],
      items: [{ status: 'failed', error: expect.stringMatching(/expired/), code: 'gone' }],
    });
  });
});

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { deleteExpiredFiles } from '../../../server/jobs/index.ts';
import { readBalance, topUp } from '../../../server/money/wallet/index.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import { forgetResults } from '../../support/service/forget-results.ts';

let api: TestApi;
let before: { readonly jobs: number; readonly balance: bigint };
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  await api.startRunner();
});
beforeEach(async () => {
  await forgetResults(api.ctx.db);
  before = await state();
});
afterAll(() => api.close());

const url = () => `${api.files.url}/subject.png`;
const sky = () => `${api.files.url}/sky.png`;
const state = async () => ({
  jobs: await api.ctx.db.$count(schema.jobs),
  balance: (await readBalance(api.ctx.db, api.accountId)).balance,
});
/** Reads the file at a URL of a result from the store. */
async function download(of: string): Promise<Buffer> {
  const key = `outputs${new URL(of).pathname.replace('/cdn', '')}`;
  const { stream } = await api.ctx.storage.get(key);
  return Buffer.concat(await stream.toArray());
}
/** Jobs of the test so far, and what they have cost. */
const jobs = async () => (await state()).jobs - before.jobs;
const spent = async () => before.balance - (await state()).balance;

describe('POST /v1/remove-bg a second time within 24 hours', () => {
  it('returns the same bytes at no charge, as a separate job with a separate URL, for the same file sent in any way', async () => {
    const first = await api.removeBg({ image_url: url() });
    expect(first.body.cached).toBe(false);
    const image_b64 = (await drawRedBall()).toString('base64');
    const upload = await api.upload(new Uint8Array(await drawRedBall()));
    const { request_id: _id, output_url, ...same } = first.body;
    const bytes = await download(output_url);
    const seen = new Set([output_url]);
    for (const body of [
      { image_url: url(), subject: 'all', engine: 'auto' },
      { image_b64 },
      { image_url: upload.body.upload_url },
    ]) {
      const again = await api.removeBg(body);
      expect(again).toMatchObject({ status: 200, body: { ...same, cached: true } });
      const { body: job } = await api.status(again.body.request_id);
      expect(job).toMatchObject({ status: 'COMPLETED', cached: true, billing: { charged_usd: '0.00' } });
      expect(job.output.media_url).toEqual([again.body.output_url]);
      expect(await download(again.body.output_url)).toEqual(bytes);
      seen.add(again.body.output_url);
    }
    expect((await api.status(first.body.request_id)).body.cached).toBe(false);
    expect(seen.size).toBe(4);
    expect([await jobs(), await spent()]).toEqual([4, 10_000n]);
  });

  it('keeps its reference, metadata and receipt, has its webhook sent, and is in the list', async () => {
    await api.removeBg({ image_url: url() });
    const labels = { reference: 'order-7', metadata: { shop: 'otters' } };
    const hook = `${api.files.url}/hook`;
    const hit = await api.removeBg({ image_url: url(), ...labels }, { 'x-webhook-url': hook });
    const { request_id } = hit.body;
    expect((await api.status(request_id)).body).toMatchObject({ ...labels, cached: true });
    const { body: list } = await api.call('GET', '/api/v2/requests?reference=order-7', {
      headers: { authorization: `Bearer ${api.apiKey}` },
    });
    expect(list.requests).toMatchObject([{ request_id, ...labels, cached: true }]);
    const [delivery] = await api.ctx.db
      .select()
      .from(schema.deliveries)
      .where(eq(schema.deliveries.reference, request_id));
    expect(delivery?.url).toBe(hook);
    const job = JSON.parse(delivery?.body ?? '{}');
    expect(job).toMatchObject({ request_id, ...labels, cached: true, output: { cached: true } });
    const [, payload = ''] = job.receipt.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      request_id,
      charged_usd: '0.00',
      inputs: [{ name: 'input' }],
      outputs: [{ name: expect.any(String) }],
    });
  });

  it('outlives the job whose result it repeats', async () => {
    const first = await api.removeBg({ image_url: url() });
    const hit = await api.removeBg({ image_url: url() });
    const isOfFirst = eq(schema.files.jobId, first.body.request_id);
    await api.ctx.db
      .update(schema.files)
      .set({ expiresAt: new Date(0) })
      .where(isOfFirst);
    await deleteExpiredFiles(api.ctx);
    expect((await api.status(first.body.request_id)).body.output.media_url).toEqual([]);
    expect((await download(hit.body.output_url)).length).toBeGreaterThan(0);
  });

  it('responds to a repeated Idempotency-Key with the job of the first hit', async () => {
    await api.removeBg({ image_url: url() });
    const headers = { 'idempotency-key': 'hit-once' };
    const hit = await api.removeBg({ image_url: url() }, headers);
    const again = await api.removeBg({ image_url: url() }, headers);
    expect(again.body).toEqual(hit.body);
    expect(await jobs()).toBe(2);
  });

  it('counts in the rate limit', async () => {
    await api.removeBg({ image_url: url() });
    const { headers, body } = await api.removeBg({ image_url: url() });
    expect(body.cached).toBe(true);
    expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(1000);
  });

  it('processes other params, another background, and no-cache requests again', {
    tags: ['long'],
  }, async () => {
    const first = await api.removeBg({ image_url: url(), background: sky() });
    expect((await api.removeBg({ image_url: url(), background: sky() })).body.cached).toBe(true);
    for (const [body, headers] of [
      [{ image_url: url(), background: url() }, {}],
      [{ image_url: url(), background: sky(), subject: 'primary' }, {}],
      [{ image_url: url(), background: sky() }, { 'cache-control': 'no-cache' }],
    ] as const) {
      const response = await api.removeBg(body, headers);
      expect(response).toMatchObject({ status: 200, body: { cached: false } });
      expect(response.body.output_url).not.toBe(first.body.output_url);
    }
    expect([await jobs(), await spent()]).toEqual([5, 40_000n]);
  });

  it.each([
    ['is about to expire', { expiresAt: new Date(Date.now() + 60_000) }],
    ['is gone', { deletedAt: new Date() }],
  ])('processes the image again when the result %s', { tags: ['long'] }, async (_name, change) => {
    await api.removeBg({ image_url: url() });
    await api.ctx.db.update(schema.files).set(change);
    expect((await api.removeBg({ image_url: url() })).body.cached).toBe(false);
    expect(await jobs()).toBe(2);
  });

  it('processes the image again after 24 hours', { tags: ['long'] }, async () => {
    await api.removeBg({ image_url: url() });
    await api.ctx.db.update(schema.jobs).set({ completedAt: new Date(Date.now() - 25 * 3_600_000) });
    expect((await api.removeBg({ image_url: url() })).body.cached).toBe(false);
  });

  it('never returns the result of another account', async () => {
    await api.removeBg({ image_url: url() });
    const { accountId } = await openAccount(api.ctx.db, 'other@example.com');
    await topUp(api.ctx.db, { accountId, amount: 20_000n, idempotencyKey: 'other', reference: 'test' });
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'other' });
    const response = await api.removeBg({ image_url: url() }, { authorization: `Bearer ${apiKey}` });
    expect(response).toMatchObject({ status: 200, body: { cached: false } });
    const again = await api.removeBg({ image_url: url() }, { authorization: `Bearer ${apiKey}` });
    expect(again).toMatchObject({ status: 200, body: { cached: true } });
    expect(again.body.request_id).not.toBe(response.body.request_id);
    expect((await readBalance(api.ctx.db, accountId)).balance).toBe(10_000n);
  });
});

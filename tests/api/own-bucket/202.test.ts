import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { jobViewSchema } from '../../../server/api/job-view-schema.ts';
import { serveResult } from '../../../server/api/results-listener.ts';
import { schema } from '../../../server/base/database/db.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { type Bucket, startBucket } from '../../support/servers/bucket.ts';
import { startWebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
let bucket: Bucket;
beforeAll(async () => {
  bucket = await startBucket();
  api = await startApi({ RATE_LIMIT_BURST: '1000', MODELS_OFFLINE: '1' }, '5');
  await api.startRunner();
});
afterEach(async () => {
  expect((await readBalance(api.ctx.db, api.accountId)).held).toBe(0n);
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
});
afterAll(async () => {
  await api.close();
  await bucket.close();
});

const subject = () => `${api.files.url}/subject.png`;
const bare = (url: string) => url.split('?')[0];
const putsTo = (url: string) => bucket.received.filter(({ path }) => url.endsWith(path));
const spent = async () => 5_000_000n - (await readBalance(api.ctx.db, api.accountId)).balance;

async function convert(body: object, headers?: Record<string, string>) {
  const response = await api.convert({ image_url: subject(), to_format: 'webp', ...body }, headers);
  expect(response.status).toBe(202);
  const job = await api.ended(response.body.request_id);
  expect(jobViewSchema.strict().parse(job)).toEqual(job);
  return job;
}

const openFile = async (url: string) => {
  const response = await serveResult(api.ctx, new Request(url));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

/** Returns the keys of a job's files that are still in the store. */
async function storedOutputs(id: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of api.ctx.storage.list(`outputs/${id}/`, new Date(Date.now() + 60_000)))
    keys.push(key);
  return keys;
}

describe('output_urls of a request', { timeout: 180_000 }, () => {
  it('receive the file with its media type and no key of ours; the CDN keeps it as well', async () => {
    const url = bucket.presign();
    const receiver = await startWebhookReceiver();
    const job = await convert({ output_urls: [url] }, { 'x-webhook-url': receiver.url });
    await receiver.until(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual(job);
    await receiver.close();
    expect(job).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.002' } });
    expect(job.output_delivery).toEqual([
      { url: bare(url), status: 'delivered', attempts: 1, http_status: 200, error: null },
    ]);
    const [put, ...others] = putsTo(url);
    expect(others).toEqual([]);
    const bytes = await openFile(job.output.media_url[0]);
    expect(put?.body.equals(bytes)).toBe(true);
    expect(put).toMatchObject({
      method: 'PUT',
      headers: { 'content-type': 'image/webp', 'content-length': String(bytes.length) },
    });
    expect(JSON.stringify(put?.headers)).not.toContain('mk_');
  });

  it('are the only place of the result with store: false, and their signatures are forgotten', async () => {
    const url = bucket.presign();
    const job = await convert({ output_urls: [url], store: false });
    expect(job.output).toMatchObject({ media_url: [bare(url)], media_type: 'image/webp' });
    expect(job.warnings).toEqual([]);
    await expect.poll(() => storedOutputs(job.request_id)).toEqual([]);
    const [row] = await api.ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, job.request_id));
    expect(row?.outputDeliveries).toMatchObject([{ url: bare(url), status: 'delivered' }]);
  });

  it.each([
    ['503', 503],
    ['a broken connection', 'break'],
  ] as const)('are tried again after %s', async (_name, fault) => {
    const url = bucket.presign(fault, 201);
    const job = await convert({ output_urls: [url], store: false });
    expect(job).toMatchObject({
      status: 'COMPLETED',
      output_delivery: [{ status: 'delivered', attempts: 2, http_status: 201, error: null }],
    });
    expect(putsTo(url)).toHaveLength(2);
  });

  it.each([
    [403, /status 403/],
    [302, /redirects are not followed/],
  ])('end at once with %i: the CDN has the result', async (response, error) => {
    const url = bucket.presign(response);
    const job = await convert({ output_urls: [url] });
    expect(job).toMatchObject({
      status: 'COMPLETED',
      output: { media_url: [expect.stringContaining('/cdn/')] },
      billing: { charged_usd: '0.002' },
      output_delivery: [
        { status: 'failed', attempts: 1, http_status: response, error: expect.stringMatching(error) },
      ],
    });
    expect(putsTo(url)).toHaveLength(1);
    expect(bucket.received.some(({ path }) => path === '/elsewhere')).toBe(false);
  });

  it('fail the job without a charge when the result would be stored nowhere', async () => {
    const before = await spent();
    const urls = [bucket.presign(), bucket.presign(403)];
    const body = { image_url: subject(), expand_left: 20, num_images: 2, output_urls: urls, store: false };
    const { request_id } = (await api.post('/image-outpaint/v1/image-outpaint-request', body)).body;
    const job = await api.ended(request_id);
    expect(job).toMatchObject({
      status: 'FAILED',
      code: 'output_delivery_failed',
      field: 'output_urls[1]',
      error: expect.stringMatching(/^output_urls\[1\]: .*403/),
      output: null,
      billing: { held_usd: '0.00', charged_usd: '0.00' },
      output_delivery: [
        { status: 'delivered', http_status: 200 },
        { status: 'failed', http_status: 403 },
      ],
    });
    expect(await spent()).toBe(before);
    await expect.poll(() => storedOutputs(request_id)).toEqual([]);
  });

  it('receive nothing of a job that fails by its input', async () => {
    const { upload_url } = (await api.upload(new Uint8Array((await openFileBytes()).subarray(0, 300)))).body;
    const url = bucket.presign();
    const job = await convert({ image_url: upload_url, output_urls: [url] });
    expect(job).toMatchObject({
      status: 'FAILED',
      output_delivery: [{ status: 'failed', attempts: 0, http_status: null }],
    });
    expect(putsTo(url)).toEqual([]);
  });

  it('of a response that waits for the result: it names the CDN, or with store: false the bucket', async () => {
    const body = { image_url: subject(), model: 'darkroom-fast' };
    const [first, second] = [bucket.presign(), bucket.presign()];
    const kept = await api.post('/v1/upscale', { ...body, output_urls: [first] });
    expect([kept.status, kept.body.output_url]).toEqual([200, expect.stringContaining('/cdn/')]);
    const own = await api.post('/v1/upscale', { ...body, output_urls: [second], store: false });
    expect([own.status, own.body.output_url]).toEqual([200, bare(second)]);
    expect([putsTo(first).length, putsTo(second).length]).toEqual([1, 1]);
  });

  it('receive a cached result, at no charge', async () => {
    const body = { image_url: subject(), engine: 'matte' };
    const first = await api.removeBg(body);
    expect(first.body).toMatchObject({ cached: false });
    const before = await spent();
    const url = bucket.presign();
    const again = await api.removeBg({ ...body, output_urls: [url], store: false });
    expect(again).toMatchObject({ status: 200, body: { cached: true, output_url: bare(url) } });
    expect(await spent()).toBe(before);
    const { body: job } = await api.status(again.body.request_id);
    expect(job).toMatchObject({ output: { cached: true }, output_delivery: [{ status: 'delivered' }] });
    const bytes = await openFile(first.body.output_url);
    expect(putsTo(url)[0]?.body.equals(bytes)).toBe(true);
    await expect.poll(() => storedOutputs(again.body.request_id)).toEqual([]);
  });

  it('receive a result that was deleted in the meantime from a run, at no charge', async () => {
    const body = { image_url: subject(), engine: 'matte', subject: 'primary' };
    const first = await api.removeBg(body);
    expect(first.body).toMatchObject({ cached: false });
    // As by a deletion between the acceptance of the request and its turn.
    const [key = ''] = await storedOutputs(first.body.request_id);
    await api.ctx.storage.delete(key);
    const before = await spent();
    const url = bucket.presign();
    const again = await api.removeBg({ ...body, output_urls: [url] });
    expect(again).toMatchObject({ status: 200, body: { cached: false } });
    expect(await spent()).toBe(before);
    const { body: job } = await api.status(again.body.request_id);
    expect(job).toMatchObject({ cached: false, billing: { charged_usd: '0.00' } });
    expect(putsTo(url)).toHaveLength(1);
  });
});

async function openFileBytes(): Promise<Buffer> {
  return Buffer.from(await (await fetch(subject())).arrayBuffer());
}

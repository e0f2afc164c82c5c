import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { jobViewSchema } from '../../../server/api/job-view-schema.ts';
import { serveResult } from '../../../server/api/results-listener.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { startWebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';

const CONVERT = '/media-tools/v1/image-convert/batch';
const UPSCALE = '/v1/upscale/batch';
const MODERATE = '/content-safety/v1/image-moderation/batch';
const EXTEND = '/image-outpaint/v1/image-outpaint-request/batch';

let api: TestApi;
let getFaults: Awaited<ReturnType<typeof createConformanceCheck>>;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000', MODELS_OFFLINE: '1' }, '5');
  getFaults = await createConformanceCheck(api);
  await api.startRunner();
});
afterEach(async () => {
  expect((await readBalance(api.ctx.db, api.accountId)).held).toBe(0n);
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
});
afterAll(() => api.close());

const subject = () => `${api.files.url}/subject.png`;
const missing = () => `${api.files.url}/none.png`;

/** Sends a batch that is accepted, and returns its job once it has ended. */
async function ended(path: string, body: object, headers?: Record<string, string>) {
  const response = await api.post(path, body, headers);
  expect(response.status).toBe(202);
  expect(getFaults('POST', path, response)).toEqual([]);
  const job = await api.ended(response.body.request_id);
  expect(jobViewSchema.strict().parse(job)).toEqual(job);
  expect(job).toMatchObject({ status: 'COMPLETED', progress: 1 });
  return job;
}

const openImage = async (url: string) => {
  const response = await serveResult(api.ctx, new Request(url));
  expect(response.status).toBe(200);
  return await sharp(Buffer.from(await response.arrayBuffer())).metadata();
};

describe('POST <operation>/batch returns 202, and the job has a result for each item', {
  timeout: 180_000,
}, () => {
  it('of a conversion, whose params may be given for all', async () => {
    const receiver = await startWebhookReceiver();
    const items = [
      { image_url: subject() },
      { image_url: missing() },
      { image_url: subject(), to_format: 'png' },
      { image_url: subject(), quality: 200 },
      { image_url: subject() },
    ];
    const body = { items, to_format: 'webp', reference: 'order 7' };
    const job = await ended(CONVERT, body, { 'x-webhook-url': receiver.url });
    await receiver.until(1);
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([job]);
    await receiver.close();
    expect(job).toMatchObject({ model_id: 'media-convert-image-batch', reference: 'order 7' });
    expect(job.request_id).toMatch(/^media-convert-image-batch_[0-9a-f]{32}$/);
    const [first, second, third, fourth, fifth] = job.output.items;
    expect(first).toMatchObject({ status: 'success', media_type: 'image/webp', warnings: [] });
    expect(third).toMatchObject({ status: 'success', media_type: 'image/png' });
    expect(second).toMatchObject({
      status: 'failed',
      code: 'unfetchable',
      field: 'items[1].image_url',
      error: expect.stringMatching(/^image_url: /),
    });
    expect(fourth).toMatchObject({ status: 'failed', code: 'bad_request', field: 'items[3].quality' });
    expect(fifth).toEqual({ ...first, charged_usd: '0.00', duplicate_of: 0 });
    expect(job.output.media_url).toEqual([...first.media_url, ...third.media_url]);
    expect(job.output.media_type).toBe('multipart/mixed');
    expect(await openImage(first.media_url[0])).toMatchObject({ format: 'webp', width: 160, height: 120 });
    expect(job.billing.charged_usd).toBe('0.004');
  });

  it('of an enlargement', { tags: ['long'] }, async () => {
    const items = [
      { image_url: subject() },
      { image_url: subject(), scale: 4 },
      { image_url: subject(), model: 'nothing' },
      { image_url: subject() },
    ];
    const job = await ended(UPSCALE, { items, scale: 2, model: 'darkroom-fast' });
    const [first, second, third, fourth] = job.output.items;
    expect(first).toMatchObject({
      status: 'success',
      input_size: '160x120',
      output_size: '320x240',
      scale: 2,
      credits_used: 5,
    });
    expect(second).toMatchObject({ status: 'success', output_size: '640x480', scale: 4 });
    expect(third).toMatchObject({ status: 'failed', code: 'model_not_found', field: 'items[2].model' });
    expect(fourth).toEqual({ ...first, charged_usd: '0.00', duplicate_of: 0 });
    expect(await openImage(second.output_url)).toMatchObject({ format: 'png', width: 640 });
    expect([job.model_id, job.billing.charged_usd]).toEqual(['upscale-batch', '0.01']);
  });

  it('of moderation, of which one category cannot be judged here', async () => {
    const note = `${api.files.url}/note.txt`;
    const items = [
      { image_url: subject(), categories: ['Sexual'] },
      { image_url: subject(), categories: ['Hate'] },
      { image_url: note },
      { image_url: `${api.files.url}/photo.png` },
      { image_url: `${api.files.url}/sky.png`, engine: 'nsfw-vit-int8' },
    ];
    const job = await ended(MODERATE, { items, categories: ['Sexual'], severity_threshold: 4 });
    const [first, ...others] = job.output.items;
    expect(first).toMatchObject({
      status: 'success',
      flagged: false,
      categories: [{ category: 'Sexual', severity: 0 }],
      severity_threshold: 4,
      ms: expect.any(Number),
    });
    expect(others).toMatchObject([
      { status: 'failed', code: 'category_unavailable', field: 'items[1].categories' },
      { status: 'failed', code: 'unsupported', field: 'items[2].image_url' },
      { status: 'failed', code: 'unsupported', field: 'items[3].image_url' },
      { status: 'failed', code: 'engine_unavailable', field: 'items[4].engine' },
    ]);
    expect(job).toMatchObject({
      model_id: 'image-moderation-batch',
      output: { media_url: [], media_type: 'application/json' },
      billing: { charged_usd: '0.002' },
    });
  });

  it('of an extension, whose random seeds make variants of the same image', { tags: ['long'] }, async () => {
    const items = [
      { image_url: subject(), num_images: 2, seed: 3 },
      { image_url: subject() },
      { image_url: subject() },
      { image_url: subject(), expand_left: 701 },
      { image_url: subject(), num_images: 2, seed: 3 },
    ];
    const job = await ended(EXTEND, { items, expand_left: 20, output_format: 'webp' });
    const [first, second, third, fourth, fifth] = job.output.items;
    expect(first).toMatchObject({
      status: 'success',
      media_url: [expect.stringContaining('extended-3.webp'), expect.stringContaining('extended-4.webp')],
      media_type: 'image/webp',
      fill_quality: expect.any(Number),
    });
    for (const item of [second, third]) expect(item).toMatchObject({ status: 'success' });
    expect(second.media_url).not.toEqual(third.media_url);
    expect(fourth).toMatchObject({ status: 'failed', field: 'items[3].expand_left' });
    expect(fifth).toEqual({ ...first, charged_usd: '0.00', duplicate_of: 0 });
    expect(job.output.media_url).toHaveLength(4);
    for (const url of job.output.media_url) expect(await openImage(url)).toMatchObject({ width: 180 });
    expect([job.model_id, job.billing.charged_usd]).toEqual(['image-outpaint-batch', '0.48']);
  });
});

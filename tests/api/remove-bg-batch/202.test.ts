import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resultSchema } from '../../../models/operations/remove-bg/schema.ts';
import { jobViewSchema } from '../../../server/api/job-view-schema.ts';
import { serveResult } from '../../../server/api/results-listener.ts';
import { schema } from '../../../server/base/database/db.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { createMatteModel } from '../../support/models/matte.ts';
import { startInferenceServer } from '../../support/servers/inference-server.ts';
import { startWebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
  await api.close();
});

/** Batches get a tenth of a core, since the tests of other files run as well. */
const LONG_BATCH_MS = 300_000;

/** Starts a stand-in for U²-Net small that takes no time: tests of single requests run the bundled model. */
async function startNetwork() {
  const network = await startInferenceServer(createMatteModel('u2netp'));
  vi.stubEnv('INFERENCE_ENDPOINTS', `u2netp=${network.url}`);
  return network;
}

const url = () => `${api.files.url}/subject.png`;
const wallet = () => readBalance(api.ctx.db, api.accountId);

describe('POST /v1/remove-bg/batch returns 202', { timeout: 300_000 }, () => {
  it('and charges the 99 intact items out of 100, in the order given', {
    tags: ['long'],
    timeout: LONG_BATCH_MS,
  }, async () => {
    const whole = (await drawRedBall()).toString('base64');
    const broken = Buffer.from(await drawRedBall());
    broken.fill(0, Math.floor(broken.length / 2));
    const items = Array.from({ length: 100 }, (_, at) => ({
      image_b64: at === 41 ? broken.toString('base64') : whole,
      engine: 'u2netp',
    }));
    const network = await startNetwork();
    const accepted = await api.removeBgBatch({ items });
    expect(accepted.status).toBe(202);
    expect(Object.keys(accepted.body)).toEqual(['request_id', 'status', 'polling_url']);
    expect(accepted.body.request_id).toMatch(/^remove-bg-batch_[0-9a-f]{32}$/);
    expect(await wallet()).toMatchObject({ balance: 1_000_000n, held: 1_000_000n });
    await api.startRunner();
    const job = await api.ended(accepted.body.request_id, LONG_BATCH_MS);
    expect(jobViewSchema.strict().parse(job)).toEqual(job);
    expect(job).toMatchObject({
      status: 'COMPLETED',
      model_id: 'remove-bg-batch',
      progress: 1,
      billing: { held_usd: '0.00', charged_usd: '0.99' },
    });
    expect(job.output.items).toHaveLength(100);
    expect(job.output.items[41]).toMatchObject({
      status: 'failed',
      code: 'unprocessable',
      error: expect.any(String),
      request_id: job.request_id,
    });
    const successes = job.output.items.toSpliced(41, 1);
    for (const item of successes)
      expect(resultSchema.loose().parse(item)).toMatchObject({ status: 'success' });
    const urls = successes.map(({ output_url }: { output_url: string }) => output_url);
    expect(new Set(urls).size).toBe(99);
    expect(job.output.media_url).toEqual(urls);
    expect(await wallet()).toMatchObject({ balance: 10_000n, held: 0n });
    await network.stop();
  });

  it('despite invalid items, and lets the params of an item override those of the batch', async () => {
    const network = await startNetwork();
    await api.startRunner();
    const sky = `${api.files.url}/sky.png`;
    const upload = (await api.upload(new Uint8Array(await drawRedBall('webp')))).body.upload_url;
    const items = [
      { image_url: url() },
      { image_url: url(), output_format: 'png', background: sky },
      { image_url: upload, background: '#102030' },
      { image_url: upload },
      { image_url: `${api.files.url}/none.png` },
      { image_url: url(), background: `${api.files.url}/note.txt` },
      { image_url: url(), output_format: 'gif' },
      { image_b64: '***' },
      'not an object',
      {},
    ];
    const params = { output_format: 'jpeg', background: sky, engine: 'u2netp' };
    const { body } = await api.removeBgBatch({ items, ...params });
    const job = await api.ended(body.request_id);
    await network.stop();
    expect(job.billing.charged_usd).toBe('0.04');
    const [first, second, third, fourth, ...others] = job.output.items;
    for (const item of [first, second, third, fourth]) {
      expect(item).toMatchObject({
        status: 'success',
        original_size: '160x120',
        engine: 'u2netp on inference server',
      });
      expect(item.warnings).toEqual([]);
    }
    expect(others).toEqual(
      [
        [/^image_url: .*404/, 'unfetchable', 'image_url'],
        [/^background: The image has an unknown format/, 'unsupported', 'background'],
        [/^output_format: must be one of/, 'bad_request', 'output_format'],
        [/^image_b64: must be base64/, 'unsupported', 'image_b64'],
        [/^body: must be an object\.$/, 'bad_request', null],
        [/exactly one of them must be given/, 'bad_request', 'image_url'],
      ].map(([message, code, field], at) => ({
        status: 'failed',
        error: expect.stringMatching(message as RegExp),
        code,
        ...(field !== null && { field: `items[${at + 4}].${field}` }),
        request_id: job.request_id,
        charged_usd: '0',
      })),
    );
    const getCorner = async (item: { output_url: string }) => {
      const response = await serveResult(api.ctx, new Request(item.output_url));
      const image = sharp(Buffer.from(await response.arrayBuffer()));
      const { data } = await image.clone().raw().toBuffer({ resolveWithObject: true });
      return [(await image.metadata()).format, ...data.subarray(0, 3)];
    };
    expect(await getCorner(second)).toEqual(['png', 128, 160, 224]);
    expect((await getCorner(first))[0]).toBe('jpeg');
    expect(Number((await getCorner(third))[1])).toBeLessThan(40);
    // Several items use this URL, and it is fetched once.
    expect(api.files.hits.get('/sky.png')).toBe(1);
  });

  it('and charges nothing when every item is rejected', async () => {
    await api.startRunner();
    const receiver = await startWebhookReceiver();
    const headers = { 'x-webhook-url': receiver.url };
    const { body } = await api.removeBgBatch({ items: [{ image_b64: 'AAAA' }] }, headers);
    const job = await api.ended(body.request_id);
    await receiver.until(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual(job);
    await receiver.close();
    expect(job).toMatchObject({
      status: 'COMPLETED',
      output: { media_url: [], items: [{ status: 'failed' }] },
      billing: { charged_usd: '0.00' },
    });
    expect(await wallet()).toMatchObject({ balance: 1_000_000n, held: 0n });
  });

  it('and releases the whole hold when every image is damaged', { tags: ['long'] }, async () => {
    await api.startRunner();
    const broken = Buffer.from(await drawRedBall());
    broken.fill(0, Math.floor(broken.length / 2));
    const { body } = await api.removeBgBatch({ items: [{ image_b64: broken.toString('base64') }] });
    expect(await api.ended(body.request_id)).toMatchObject({
      status: 'COMPLETED',
      output: { items: [{ status: 'failed' }] },
      billing: { held_usd: '0.00', charged_usd: '0.00' },
    });
    expect(await wallet()).toMatchObject({ balance: 1_000_000n, held: 0n });
    expect(await api.ctx.db.select().from(schema.keySpending)).toMatchObject([{ spent: 0n }]);
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serveFiles } from '../../../lab/support/file-server.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { schema } from '../../../server/base/database/db.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { type Bucket, startBucket } from '../../support/servers/bucket.ts';
import { startWebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const TONE = join(import.meta.dirname, '../../fixtures/audio/tone.mp3');

let api: TestApi;
let bucket: Bucket;
beforeAll(async () => {
  bucket = await startBucket();
  api = await startApi({ RATE_LIMIT_BURST: '1000', MODELS_OFFLINE: '1' }, '5');
});
afterEach(async () => {
  expect(await readBalance(api.ctx.db, api.accountId)).toMatchObject({ held: 0n });
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
});
afterAll(async () => {
  await api.close();
  await bucket.close();
});

const convert = (id: string, params: object, from = 'input') => ({ id, operation: 'convert', from, params });
const TWO = [
  convert('small', { to_format: 'png', width: 6 }),
  convert('tiny', { to_format: 'webp', width: 3 }, 'small'),
];
const send = (body: object, headers?: Record<string, string>) =>
  api.post('/v2/pipelines', { image_url: api.imageUrl, steps: TWO, ...body }, headers);
const getFiles = async (id: string) => {
  const keys: string[] = [];
  for await (const key of api.ctx.storage.list(`outputs/${id}/`, new Date(Date.now() + 60_000)))
    keys.push(key);
  return keys.map((key) => key.split('/').at(-1));
};

describe('before a runner is there', () => {
  it('a cancelled pipeline is FAILED canceled, and costs nothing', async () => {
    const { body } = await send({});
    const job = await api.status(body.request_id);
    expect(job.body).toMatchObject({ status: 'QUEUED', billing: { held_usd: '0.004' } });
    const canceled = await api.call('DELETE', `/api/v2/requests/${body.request_id}`, {
      headers: { authorization: `Bearer ${api.apiKey}` },
    });
    expect(canceled).toMatchObject({
      status: 200,
      body: { status: 'FAILED', code: 'canceled', billing: { charged_usd: '0.00' }, output: null },
    });
  });

  it('the same Idempotency-Key gives the same job, and another body is refused', async () => {
    const headers = { 'idempotency-key': 'otter' };
    const [first, again] = [await send({}, headers), await send({}, headers)];
    expect(again).toMatchObject({ status: 202, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await send({ outputs: ['small'] }, headers)).toMatchObject({ status: 422 });
    await api.call('DELETE', `/api/v2/requests/${first.body.request_id}`, {
      headers: { authorization: `Bearer ${api.apiKey}` },
    });
  });

  it('holds nothing for what the balance does not cover, or a key may not run', async () => {
    const steps = Array.from({ length: 16 }, (_, at) => ({
      id: `big${at}`,
      operation: 'upscale',
      params: { scale: 8 },
    }));
    const photo = await serveFiles({ '/large.png': await draw(1100, 1100) });
    const image_url = `${photo.url}/large.png`;
    expect(await send({ image_url, steps })).toMatchObject({ status: 402 });
    const { apiKey } = await issueKey(api.ctx.db, {
      accountId: api.accountId,
      name: 'capped',
      monthlyCap: 3_000n,
    });
    const headers = { authorization: `Bearer ${apiKey}`, 'ocp-apim-subscription-key': apiKey };
    const body = { image_url: api.imageUrl, steps: TWO };
    expect(await api.call('POST', '/api/v2/pipelines', { body, headers })).toMatchObject({ status: 402 });
    await photo.close();
  });

  it('a token runs what its steps need, within its amount', async () => {
    const token = await api.post('/v2/tokens', {
      max_usd: '0.005',
      expires_in_seconds: 60,
      operations: ['media-convert-image'],
    });
    const headers = { authorization: `Bearer ${token.body.token}` };
    const post = (body: object) =>
      api.call('POST', '/api/v2/pipelines', { body: { image_url: api.imageUrl, ...body }, headers });
    const cut = [{ id: 'cut', operation: 'remove-bg' }];
    expect(await post({ steps: cut })).toMatchObject({ status: 403, body: { field: 'steps[0].operation' } });
    const sent = await post({ steps: TWO });
    expect(sent.status).toBe(202);
    expect((await post({ steps: TWO })).status).toBe(402);
    await api.call('DELETE', `/api/v2/requests/${sent.body.request_id}`, { headers });
  });
});

describe('with a runner', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await api.startRunner();
  });

  it('Prefer: wait gives the job itself, and one webhook has the same', async () => {
    const receiver = await startWebhookReceiver();
    const { status, body } = await send({}, { prefer: 'wait=60', 'x-webhook-url': receiver.url });
    expect([status, body.status]).toEqual([200, 'COMPLETED']);
    await receiver.until(1);
    const { progress: _, ...told } = JSON.parse(receiver.received[0]?.body ?? '');
    expect(body).toMatchObject({ ...told, output: { steps: told.output.steps } });
    await receiver.close();
  });

  it('files between steps are stored nowhere, and no step is cached', async () => {
    const { body } = await send({});
    const job = await api.ended(body.request_id);
    expect(job.output.files.map(({ name }: { name: string }) => name)).toEqual(['photo-tiny.webp']);
    expect(await getFiles(body.request_id)).toEqual(['tiny.webp']);
    const again = await send({});
    expect(await api.ended(again.body.request_id)).toMatchObject({
      cached: false,
      billing: { charged_usd: '0.004' },
    });
    // A single request with the same params finds nothing of it.
    const single = await api.convert({ image_url: api.imageUrl, to_format: 'png', width: 6 });
    expect(await api.ended(single.body.request_id)).toMatchObject({ cached: false });
  });

  it('output_urls receive each file of media_url', async () => {
    const outputs = ['tiny', 'small'];
    const urls = outputs.map(() => bucket.presign(200));
    expect(await send({ outputs, output_urls: urls.slice(1) })).toMatchObject({
      status: 400,
      body: { field: 'output_urls' },
    });
    const { body } = await send({ outputs, output_urls: urls, store: false });
    const job = await api.ended(body.request_id);
    expect(job).toMatchObject({
      status: 'COMPLETED',
      output: { media_url: urls.map((url) => url.split('?')[0]) },
    });
    const types = urls.map(
      (url) => bucket.received.find(({ path }) => url.endsWith(path))?.headers['content-type'],
    );
    expect(types).toEqual(['image/webp', 'image/png']);
    await expect.poll(() => getFiles(body.request_id)).toEqual([]);
  });

  it('a failed step charges nothing, and its seconds count as those of a failed run', async () => {
    await api.ctx.db.delete(schema.failureBudgets);
    const whole = await draw(90, 90);
    const files = await serveFiles({ '/cut.png': whole.subarray(0, whole.length / 2) });
    const steps = [{ id: 'safe', operation: 'moderate', params: { categories: ['Sexual'] }, from: 'early' }];
    const { body } = await send({
      image_url: `${files.url}/cut.png`,
      steps: [convert('early', { to_format: 'png' }), ...steps],
    });
    const job = await api.ended(body.request_id);
    await files.close();
    expect(job).toMatchObject({ status: 'FAILED', billing: { charged_usd: '0.00' }, output: null });
    expect(job.error).toMatch(/^steps\.early: /);
    expect(await getFiles(body.request_id)).toEqual([]);
    const budget = await api.ctx.db.query.failureBudgets.findFirst({
      where: eq(schema.failureBudgets.accountId, api.accountId),
    });
    expect(budget).toBeDefined();
  });

  it('a moderation that stops nothing lets all steps run, and reads any image', async () => {
    const { body } = await send({
      image_url: `${api.files.url}/photo.png`,
      steps: [
        {
          id: 'safe',
          operation: 'safety',
          params: { categories: ['Sexual'], severity_threshold: 6 },
          stop_if_flagged: true,
        },
        convert('tiff', { to_format: 'tiff' }),
        { id: 'again', operation: 'moderate', from: 'tiff', params: { categories: ['Sexual'] } },
      ],
    });
    const job = await api.ended(body.request_id);
    expect(job).toMatchObject({ status: 'COMPLETED', billing: { charged_usd: '0.006' } });
    expect(Object.keys(job.output.steps)).toEqual(['safe', 'tiff', 'again']);
    expect(job.output).not.toHaveProperty('stopped_by');
  });

  it('reads audio: a step reads one stem of several, by its name or number', {
    timeout: 240_000,
    tags: ['long'],
  }, async () => {
    const files = await serveFiles({ '/tone.mp3': await readFile(TONE) });
    const split = { id: 'stems', operation: 'stems' };
    const request = (from: string) => ({
      image_url: undefined,
      audio_url: `${files.url}/tone.mp3`,
      steps: [split, { id: 'who', operation: 'diarize', from }],
      outputs: ['stems', 'who'],
    });
    const refused = await send(request('stems'));
    expect(refused).toMatchObject({ status: 400, body: { field: 'steps[1].from' } });
    expect(refused.body.message).toContain('stems/vocals, stems/no_vocals');
    expect(await send(request('stems/drums'))).toMatchObject({
      status: 400,
      body: { field: 'steps[1].from' },
    });
    const { body } = await send(request('stems/0'));
    const job = await api.ended(body.request_id, 240_000);
    await files.close();
    expect(job).toMatchObject({ status: 'COMPLETED' });
    const names = job.output.files.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['tone-stems-vocals.mp3', 'tone-stems-no_vocals.mp3', 'tone-who.json']);
    expect(job.output.media_type).toBe('multipart/mixed');
    expect(await getFiles(body.request_id)).toHaveLength(3);
  });
});

it('decodes a shared source once, passes what a step makes decoded, and gives the files of single requests', async () => {
  const png = await draw(64, 48);
  const targets = ['webp', 'jpg', 'avif', 'png'] as const;
  const padded = { width: 20, height: 20, fit: 'contain', background: '#fff' };
  const steps = [
    convert('base', { to_format: 'png', width: 60 }),
    ...targets.map((to_format) => convert(to_format, { to_format, ...padded }, 'base')),
    convert('big', { to_format: 'webp', width: 50 }),
  ];
  const runtime = createNodeRuntime({ signal: new AbortController().signal });
  const decoded: number[] = [];
  const images: typeof runtime.images = {
    ...runtime.images,
    decode(input, options) {
      decoded.push(input.size);
      return runtime.images.decode(input, options);
    },
  };
  const input = new Blob([new Uint8Array(png)]);
  const { files } = await OPERATIONS.pipeline.execute(input, { steps }, { ...runtime, images });
  expect(files.map(({ name }) => name)).toEqual([...targets.map((name) => `${name}.${name}`), 'big.webp']);
  expect(decoded).toEqual([png.length]);

  const single = async (source: Blob, params: object) => {
    const given = OPERATIONS['media-convert-image'].params.parse(params);
    const [file] = (await OPERATIONS['media-convert-image'].execute(source, given, runtime)).files;
    if (!file) throw new Error('no file');
    return file.blob;
  };
  const base = await single(input, { to_format: 'png', width: 60 });
  for (const [at, to_format] of targets.entries()) {
    const expected = await single(base, { to_format, ...padded });
    expect(await files[at]?.blob.bytes(), to_format).toEqual(await expected.bytes());
  }
});

async function draw(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const create = { width, height, channels: 3, background: '#888', noise } as const;
  return Buffer.from(await sharp({ create }).png().toBuffer());
}

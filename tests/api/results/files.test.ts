import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../../lab/support/file-server.ts';
import type { ResultFile } from '../../../models/core/operation/result-file.ts';
import { serveResult } from '../../../server/api/results-listener.ts';
import { createAnimation } from '../../support/media/animation.ts';
import { startBucket } from '../../support/servers/bucket.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';
import { createOwnWorker, DONE } from '../../support/service/own-worker.ts';
import { startSandbox, type TestSandbox } from '../../support/service/sandbox.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

let api: TestApi;
let sandbox: TestSandbox;
let files: FileServer;
let getFaults: Awaited<ReturnType<typeof createConformanceCheck>>;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' }, '5');
  sandbox = await startSandbox(api);
  getFaults = await createConformanceCheck(api);
  files = await serveFiles({
    '/r%C3%B6d%20ball.v2.png': await drawRedBall(),
    '/copy.png': await drawRedBall(),
    '/steps.gif': await createAnimation(3, 'gif'),
    '/speech.wav': await readFile(join(FIXTURES, 'audio/mono-8k.wav')),
    '/fading.webm': await readFile(join(FIXTURES, 'videos/fading.webm')),
  });
  await api.startRunner();
});
afterAll(async () => {
  await api.close();
  await files.close();
});

interface Submitted {
  readonly status: number;
  readonly body: { readonly request_id: string };
}
const STATUS = '/v2/requests/status/{request_id}';

/** Waits for a job, and checks that it is as the OpenAPI document says. */
async function finish({ status, body }: Submitted, from: Pick<TestApi, 'ended'> = api) {
  expect([status, body]).toEqual([202, expect.anything()]);
  const job = await from.ended(body.request_id);
  expect(job).toMatchObject({ status: 'COMPLETED' });
  expect(getFaults('get', STATUS, { status: 200, body: job })).toEqual([]);
  const urls = job.output.files.map(({ url }: ResultFile) => url);
  expect(urls).toEqual(job.output.media_url);
  return job;
}

/** Checks bytes and digest of a file, and returns the name under which it is downloaded. */
async function open({ url, bytes, sha256, media_type }: ResultFile): Promise<string> {
  const response = await serveResult(api.ctx, new Request(url));
  const body = Buffer.from(await response.arrayBuffer());
  const digest = createHash('sha256').update(body).digest('hex');
  expect([body.length, digest, response.headers.get('content-type')]).toEqual([bytes, sha256, media_type]);
  const [, name = ''] =
    /filename\*=UTF-8''(.*)$/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return decodeURIComponent(name);
}

const uploaded = async (bytes: Buffer<ArrayBuffer>) => (await api.upload(bytes)).body.upload_url;

describe('output.files of a job', { timeout: 180_000 }, () => {
  it('has size, digest and a name from that of the input, under which it is downloaded', async () => {
    const ball = `${files.url}/r%C3%B6d%20ball.v2.png`;
    const job = await finish(await api.convert({ image_url: ball, to_format: 'webp' }));
    const [file, ...others] = job.output.files;
    expect(others).toEqual([]);
    expect(file).toMatchObject({
      name: 'röd ball.v2.webp',
      media_type: 'image/webp',
      width: 160,
      height: 120,
    });
    expect(Object.keys(file)).not.toContain('frames');
    expect(Object.keys(file)).not.toContain('duration_seconds');
    expect(new URL(file.url).pathname).toMatch(/\/output\.webp$/);
    expect(await open(file)).toBe('röd ball.v2.webp');
    expect(Date.parse(job.started_at)).toBeGreaterThanOrEqual(Date.parse(job.created_at));
    expect(Date.parse(job.started_at)).toBeLessThanOrEqual(Date.parse(job.completed_at));
  });

  it('is called output without a name in the input', async () => {
    const job = await finish(
      await api.convert({ image_url: await uploaded(await drawRedBall()), to_format: 'avif' }),
    );
    expect(job.output.files[0].name).toBe('output.avif');
  });

  it('counts the frames of an animation', async () => {
    const job = await finish(await api.convert({ image_url: `${files.url}/steps.gif`, to_format: 'webp' }));
    expect(job.output.files).toMatchObject([{ name: 'steps.webp', width: 24, height: 24, frames: 3 }]);
  });

  it('names the short name of an operation, and a seed', { tags: ['long'] }, async () => {
    const extended = await finish(
      await api.post('/image-outpaint/v1/image-outpaint-request', {
        image_url: `${files.url}/copy.png`,
        seed: 7,
        num_images: 2,
      }),
    );
    const names = extended.output.files.map(({ name }: ResultFile) => name);
    expect(names).toEqual(['copy-extend-7.png', 'copy-extend-8.png']);
    const { body } = await api.post('/v1/upscale', { image_url: `${files.url}/copy.png` });
    const enlarged = await finish({ status: 202, body });
    expect(enlarged.output.files).toMatchObject([
      { url: body.output_url, name: 'copy-upscale.png', width: 320, height: 240 },
    ]);
  });

  it('tells the length of audio and video, also to a test key', async () => {
    const audio_url = `${files.url}/speech.wav`;
    const stems = await finish(await sandbox.post('/audio-tools/v1/separate-stems', { audio_url }), sandbox);
    expect(stems.output.files.map(({ name }: ResultFile) => name)).toEqual([
      'speech-vocals.mp3',
      'speech-no_vocals.mp3',
    ]);
    for (const file of stems.output.files) {
      expect(file.duration_seconds).toBeCloseTo(0.5, 1);
      expect(await open(file)).toBe(file.name);
    }
    const turns = await finish(await sandbox.post('/audio-tools/v1/diarize', { audio_url }), sandbox);
    expect(turns.output.files).toMatchObject([
      { name: 'speech-who-spoke.json', media_type: 'application/json' },
    ]);
    const video = await finish(
      await sandbox.post(
        '/v1/remove-bg',
        { video_url: `${files.url}/fading.webm` },
        { prefer: 'respond-async' },
      ),
      sandbox,
    );
    const [cutout] = video.output.files;
    expect(cutout).toMatchObject({ name: 'fading-remove-bg.mp4', media_type: 'video/mp4' });
    expect(cutout.duration_seconds).toBeGreaterThan(0);
    expect(cutout.frames).toBe(1);
  });

  it('is that of the request itself where the result comes from the cache', async () => {
    const [first, hit] = [
      await api.removeBg({ image_url: `${files.url}/r%C3%B6d%20ball.v2.png` }),
      await api.removeBg({ image_url: `${files.url}/copy.png` }),
    ];
    expect(hit).toMatchObject({ status: 200, body: { cached: true } });
    const [made, again] = await Promise.all(
      [first, hit].map(async ({ body }) => (await finish({ status: 202, body })).output.files[0]),
    );
    expect([made.name, again.name]).toEqual(['röd ball.v2-remove-bg.png', 'copy-remove-bg.png']);
    const { url: _, name: _name, ...facts } = made;
    expect(again).toMatchObject(facts);
    expect(await open(again)).toBe('copy-remove-bg.png');
  });

  it('belongs to each item of a batch, whose prices make up the charge', async () => {
    const items = [
      { image_url: `${files.url}/copy.png` },
      { image_url: `${files.url}/steps.gif` },
      { image_url: `${files.url}/copy.png` },
      { image_url: `${files.url}/missing.png` },
    ];
    const batch = await finish(
      await api.post('/media-tools/v1/image-convert/batch', { items, to_format: 'gif' }),
    );
    const { output, billing } = batch;
    expect(output.items).toMatchObject([
      { status: 'success', charged_usd: '0.002', files: [{ name: 'copy.gif', width: 160 }] },
      { status: 'success', charged_usd: '0.002', files: [{ name: 'steps.gif', frames: 3 }] },
      { status: 'success', charged_usd: '0.00', duplicate_of: 0, files: [{ name: 'copy.gif' }] },
      { status: 'failed', charged_usd: '0' },
    ]);
    expect(output.files.map(({ name }: ResultFile) => name)).toEqual(['copy.gif', 'steps.gif']);
    expect(billing.charged_usd).toBe('0.004');
    const cutouts = await finish(
      await api.removeBgBatch({ items: [{ image_url: `${files.url}/copy.png` }] }),
    );
    expect(cutouts.output.items).toMatchObject([
      { cached: true, charged_usd: '0.00', files: [{ name: 'copy-remove-bg.png' }] },
    ]);
  });

  it('tells the same of a result that the client alone keeps', async () => {
    const bucket = await startBucket();
    const output_urls = [bucket.presign()];
    const request = { image_url: `${files.url}/copy.png`, to_format: 'png', output_urls, store: false };
    const job = await finish(await api.convert(request));
    await bucket.close();
    const [file] = job.output.files;
    expect(file).toMatchObject({ url: output_urls[0]?.split('?')[0], name: 'copy.png', width: 160 });
    const sent = bucket.received.at(-1)?.body ?? Buffer.alloc(0);
    expect([file.bytes, file.sha256]).toEqual([sent.length, createHash('sha256').update(sent).digest('hex')]);
  });

  it('tells the same of a self-hosted worker’s result', async () => {
    const worker = createOwnWorker(api);
    const id = await worker.submit({ image_url: `${files.url}/steps.gif` });
    const { claim_id } = (await worker.claim()).body;
    const animation = new Uint8Array(await createAnimation(4, 'webp'));
    await worker.send(claim_id, animation);
    expect(await worker.post(claim_id, 'report', DONE)).toMatchObject({ status: 200 });
    const job = await finish({ status: 202, body: { request_id: id } });
    expect(job.output.files).toMatchObject([
      { name: 'steps.webp', bytes: animation.length, width: 24, height: 24, frames: 4 },
    ]);
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../../lab/support/file-server.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { requiredParams } from '../../../models/core/runtime/required-params.ts';
import { probeAudio } from '../../../models/media/audio/read/probe-audio.ts';
import { probeVideo } from '../../../models/media/containers/video-header.ts';
import { getTarget } from '../../../models/media/image/find-format.ts';
import { probeImage } from '../../../models/media/image/image-header.ts';
import { TARGET_FORMATS } from '../../../models/operations/convert/schema.ts';
import { OPERATION_IDS, OPERATIONS } from '../../../models/registry.ts';
import { createTestOperation } from '../../../models/test-mode/create-test-operation.ts';
import { FORCED_ORIGIN } from '../../../models/test-mode/forced-outcomes.ts';
import { standInFor } from '../../../models/test-mode/stand-in.ts';
import { serveResult } from '../../../server/api/results-listener.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';
import { startSandbox, type TestSandbox } from '../../support/service/sandbox.ts';

const AUDIO = join(import.meta.dirname, '../../fixtures/audio/mono-8k.wav');
const VIDEO = join(import.meta.dirname, '../../fixtures/videos/fading.webm');

let api: TestApi;
let sandbox: TestSandbox;
let getFaults: Awaited<ReturnType<typeof createConformanceCheck>>;
let files: FileServer;
let mediaUrls: Readonly<Record<'image' | 'audio' | 'video', string>>;
beforeAll(async () => {
  // A balance of 0 is enough.
  api = await startApi({ SYNC_TIMEOUT_SECONDS: '60' }, '0');
  sandbox = await startSandbox(api);
  getFaults = await createConformanceCheck(api);
  files = await serveFiles({
    '/ball.png': await drawRedBall(),
    '/speech.wav': await readFile(AUDIO),
    '/fading.webm': await readFile(VIDEO),
  });
  const { url } = files;
  mediaUrls = { image: `${url}/ball.png`, audio: `${url}/speech.wav`, video: `${url}/fading.webm` };
  await api.startRunner();
});
afterAll(async () => {
  await api.close();
  await files.close();
});

async function download(url: string): Promise<Blob> {
  const response = await serveResult(api.ctx, new Request(url));
  expect(response.status).toBe(200);
  return await response.blob();
}

const getBytes = async (blob: Blob) => Buffer.from(await blob.arrayBuffer());

async function run(path: string, body: object) {
  const { status, body: accepted } = await sandbox.post(path, body);
  expect(status).toBe(202);
  const job = await sandbox.ended(accepted.request_id);
  expect(job).toMatchObject({ status: 'COMPLETED', test: true, engine: 'test' });
  expect(job.billing).toEqual({ held_usd: '0.00', charged_usd: '0.00' });
  // Its receipt cannot pass for that of a real run.
  const [, statement = ''] = String(job.receipt).split('.');
  expect(JSON.parse(String(Buffer.from(statement, 'base64url')))).toMatchObject({ test: true });
  return job;
}

describe('a test key gets results of true type and size, for nothing', () => {
  it.each(TARGET_FORMATS)('from a conversion to %s', async (to_format) => {
    const body = { image_url: mediaUrls.image, to_format };
    const job = await run('/media-tools/v1/image-convert', body);
    const again = await run('/media-tools/v1/image-convert', body);
    const [file, same] = await Promise.all(
      [job, again].map(async ({ output }) => getBytes(await download(output.media_url[0]))),
    );
    const { id: format } = getTarget(to_format);
    const facts = await probeImage(new Blob([Uint8Array.from(file ?? [])]), { pixelsMax: 1e6 });
    expect(facts).toMatchObject({ format, width: 160, height: 120 });
    expect(job.output.media_type).toBe(`image/${format}`);
    expect(file?.equals(same ?? Buffer.of())).toBe(true);
  });

  it('from an extension, with its own seed, which stays the same', async () => {
    const body = { image_url: mediaUrls.image, expand_left: 40, num_images: 2, output_format: 'webp' };
    const path = '/image-outpaint/v1/image-outpaint-request';
    const [job, again] = [await run(path, body), await run(path, body)];
    const names = ({ output }: typeof job) =>
      output.media_url.map((url: string) => new URL(url).pathname.split('/').at(-1));
    expect(names(job)).toEqual(names(again));
    expect(job.output.media_url).toHaveLength(2);
    const file = await getBytes(await download(job.output.media_url[0]));
    expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width: 200, height: 120 });
  });

  it('from stems: tones as long as the input', async () => {
    const body = { audio_url: mediaUrls.audio, stems: 'four' };
    const { output } = await run('/audio-tools/v1/separate-stems', body);
    expect(output.media_type).toBe('audio/mpeg');
    const input = await probeAudio(new Blob([await readFile(AUDIO)]), {});
    for (const url of output.media_url) {
      const facts = await probeAudio(await download(url), {});
      expect(facts).toMatchObject({ container: 'mp3', sampleRate: 44_100 });
      expect(Math.abs(facts.durationSeconds - input.durationSeconds)).toBeLessThan(0.1);
    }
  });

  it('from diarization: as many speakers as were asked for', async () => {
    const body = { audio_url: mediaUrls.audio, speaker_count: 3 };
    const { output } = await run('/audio-tools/v1/diarize', body);
    const found = JSON.parse(await (await download(output.media_url[0])).text());
    expect(found).toMatchObject({ ok: true, speakers: 3 });
    expect(new Set(found.segments.map(({ speaker }: { speaker: number }) => speaker))).toEqual(
      new Set([0, 1, 2]),
    );
  });

  it('from a moderation, at once', async () => {
    const path = '/content-safety/v1/image-moderation';
    const response = await sandbox.post(path, { image_url: mediaUrls.image, categories: ['Hate', 'Sexual'] });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      flagged: false,
      categories: [
        { category: 'Hate', severity: 0 },
        { category: 'Sexual', severity: 0 },
      ],
    });
    expect(getFaults('POST', path, response)).toEqual([]);
  });

  it('from a cutout, at once, and from the cache', async () => {
    const body = { image_url: mediaUrls.image };
    const response = await sandbox.post('/v1/remove-bg', body);
    expect(response.body).toMatchObject({ original_size: '160x120', engine: 'test', cached: false });
    expect(getFaults('POST', '/v1/remove-bg', response)).toEqual([]);
    const file = await getBytes(await download(response.body.output_url));
    expect(await sharp(file).metadata()).toMatchObject({
      format: 'png',
      width: 160,
      height: 120,
      hasAlpha: true,
    });
    expect((await sandbox.post('/v1/remove-bg', body)).body).toMatchObject({ cached: true });
  });

  it('from an enlarged video', async () => {
    const response = await sandbox.post('/v1/upscale', { video_url: mediaUrls.video, output_format: 'webm' });
    expect(response.body).toMatchObject({ status: 'success', credits_used: 0, scale: 2 });
    const input = await probeVideo(new Blob([await readFile(VIDEO)]), { secondsMax: 60 });
    const made = await probeVideo(await download(response.body.output_url), { secondsMax: 60 });
    expect(made).toMatchObject({ mediaType: 'video/webm', width: input.width * 2, height: input.height * 2 });
    expect(Math.abs(made.durationSeconds - input.durationSeconds)).toBeLessThan(0.1);
  });

  it('from a batch, whose failed items hinder no other', async () => {
    const job = await run('/v1/remove-bg/batch', {
      items: [{ image_url: mediaUrls.image }, { image_url: `${FORCED_ORIGIN}failed` }, { image_url: 'x' }],
    });
    expect(job.output.items).toMatchObject([
      { status: 'success', engine: 'test' },
      { status: 'failed', code: 'unprocessable' },
      { status: 'failed', field: 'items[2].image_url' },
    ]);
  });
});

it.each(OPERATION_IDS)('%s has no price and no engine with a test key', (id) => {
  const operation = createTestOperation(OPERATIONS[id]);
  const amounts = Object.values(operation.rates).map(({ amount }) => amount);
  expect(amounts.every((amount) => amount === 0n)).toBe(true);
  expect(operation.engines).toBeUndefined();
  expect(operation.isTest).toBe(true);
});

const INPUTS = Object.values<Operation>(OPERATIONS).flatMap((operation) =>
  Object.entries(operation.inputs).flatMap(([field, { encoding, media }]) =>
    encoding === 'url' ? [{ id: operation.id, field, media, operation }] : [],
  ),
);

/** A step by what its pipeline is given. */
const PIPELINE_STEPS = {
  image: { id: 'only', operation: 'convert', params: { to_format: 'webp' } },
  audio: { id: 'only', operation: 'stems' },
  video: { id: 'only', operation: 'remove-bg' },
};

it.each(INPUTS)('$id accepts the file that stands for a forced $field', async ({ media, operation }) => {
  const facts = await operation.probe(new Blob([standInFor(media)]), media);
  const step = PIPELINE_STEPS[media[0] ?? 'image'];
  const params = operation.isComposite ? { steps: [step] } : requiredParams(operation.params);
  expect(operation.price(facts, params)).toBeGreaterThan(0n);
  const { files, details = {} } = operation.testResult(facts, params, 0);
  expect(files.length + Object.keys(details).length).toBeGreaterThan(0);
});

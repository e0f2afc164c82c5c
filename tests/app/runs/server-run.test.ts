import { randomBytes } from 'node:crypto';
import { isNull } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runJob, type ServerRunOptions } from '../../../app/studio/runs/server-run.ts';
import { ERROR_CODE_HEADER } from '../../../models/core/operation/errors.ts';
import { mediaConvertImage } from '../../../models/operations/convert/operation.ts';
import { removeBg } from '../../../models/operations/remove-bg/operation.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { schema } from '../../../server/base/database/db.ts';
import { readBalance } from '../../../server/money/wallet/index.ts';
import { drawSubjectPicture } from '../../support/media/subject-picture.ts';
import { type LoopbackService, startLoopbackService } from '../../support/service/loopback-service.ts';

let service: LoopbackService;
let photo: Blob;
beforeAll(async () => {
  service = await startLoopbackService();
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: '#a35' } });
  photo = new Blob([new Uint8Array(await image.png().toBuffer())], { type: 'image/png' });
});
afterAll(() => service.stop());
beforeEach(() => {
  for (const part of ['/api/uploads', 'image-convert', '/status/', '/cdn/']) service.disturb(part);
});

const run = (options: Partial<ServerRunOptions> = {}) =>
  runJob({
    origin: service.url,
    operation: mediaConvertImage,
    file: photo,
    params: { to_format: 'webp' },
    signal: new AbortController().signal,
    ...options,
  });
const jobs = () => service.api.ctx.db.$count(schema.jobs);

describe('a run on the server', () => {
  it('uploads, converts and downloads, and returns the price', async () => {
    const progress: number[] = [];
    const { files, warnings, chargedUsd } = await run({
      onProgress: ({ fraction }) => progress.push(fraction),
    });
    expect(files.map(({ name, mediaType }) => [name, mediaType])).toEqual([['output.webp', 'image/webp']]);
    const bytes = await files[0]?.blob.arrayBuffer();
    const { format, width } = await sharp(bytes).metadata();
    expect([format, width]).toEqual(['webp', 64]);
    expect([warnings, chargedUsd]).toEqual([[], '0.002']);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBe(1);
  });

  it('returns what the steps of a recipe found', async () => {
    const step = { id: 'small', operation: 'convert', params: { to_format: 'png', width: 8 } };
    const { details } = await run({ operation: OPERATIONS.pipeline, params: { steps: [step] } });
    expect(details).toMatchObject({ steps: { small: { engine: 'codec' } } });
  });

  it('removes a background without waiting in the request', async () => {
    const options = {
      operation: removeBg,
      file: await drawSubjectPicture(),
      params: { background: 'transparent' },
    };
    const result = await run(options);
    expect(result.files.map(({ name, mediaType }) => [name, mediaType])).toEqual([
      ['output.png', 'image/png'],
    ]);
    expect(result).toMatchObject({
      chargedUsd: '0.01',
      engine: expect.stringMatching(/^matte on /),
      details: { subjects_detected: expect.any(Number), matte_quality: expect.any(String) },
    });
  }, 60_000);

  it('waits when the service is busy, and retries broken connections with one job', {
    tags: ['long'],
  }, async () => {
    const before = await jobs();
    service.disturb('/api/uploads', { status: 429, headers: { 'retry-after': '1' } });
    service.disturb('image-convert', { status: 503, headers: { 'retry-after': '0' } }, 'break off');
    service.disturb('/status/', 'break off');
    service.disturb('/cdn/', 'break off');
    expect((await run()).files).toHaveLength(1);
    expect(await jobs()).toBe(before + 1);
  });

  it('goes on with a large file where its connection broke off', {
    tags: ['long'],
    timeout: 60_000,
  }, async () => {
    const create = { width: 3000, height: 2200, channels: 3, background: '#a35' } as const;
    const png = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer();
    const file = new Blob([new Uint8Array(png)], { type: 'image/png' });
    const from = service.requests.length;
    const fractions: number[] = [];
    service.disturb('PATCH', { breakOffAfterBytes: 5_000_000 });
    expect((await run({ file, onProgress: ({ fraction }) => fractions.push(fraction) })).files).toHaveLength(
      1,
    );
    const sent = service.requests.slice(from).filter((request) => request.includes('/uploads'));
    const methods = sent.map((request) => request.split(' ')[0]);
    // The second time, the first bytes are there already: only what is missing follows, which fits one part.
    expect(methods).toEqual(['POST', 'PATCH', 'PATCH', 'HEAD', 'PATCH']);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.filter((fraction) => fraction > 0 && fraction < 0.4).length).toBeGreaterThan(0);
  });

  it('leaves nothing of a large file whose upload the visitor ends', { tags: ['long'] }, async () => {
    // The row stays, for its hash; its bytes do not.
    const stored = () => service.api.ctx.db.$count(schema.uploads, isNull(schema.uploads.deletedAt));
    const before = await stored();
    const abort = new AbortController();
    const file = new Blob([new Uint8Array(40_000_000)], { type: 'image/png' });
    const ended = run({
      file,
      signal: abort.signal,
      onProgress: ({ fraction }) => fraction > 0 && abort.abort(),
    });
    await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
    expect(service.requests.at(-1)).toMatch(/^DELETE .*\/v2\/uploads\//);
    expect(await stored()).toBe(before);
  });

  it.each([
    ['a wrong parameter', { params: { to_format: 'psd' } }, 'bad_request', /^to_format: must be one of/],
    ['a file of another type', { file: new Blob([randomBytes(100)]) }, 'unsupported', /^image_url: /],
  ] as const)('fails with the message of the server after %s', async (_name, options, code, message) => {
    await expect(run(options)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('fails when the visitor is signed in no more', async () => {
    service.disturb('/api/uploads', { status: 401, headers: { [ERROR_CODE_HEADER]: 'unauthorized' } });
    await expect(run()).rejects.toMatchObject({ code: 'unauthorized', isOfServer: true });
  });

  it('fails with the error of a job whose input is corrupt', async () => {
    const broken = photo.slice(0, 60, 'image/png');
    await expect(run({ file: broken })).rejects.toMatchObject({ code: 'unprocessable' });
  });

  it('sends no request for a file that is too large', async () => {
    const before = service.requests.length;
    const limits = { ...mediaConvertImage.limits, inputBytesMax: 10 };
    const operation = { ...mediaConvertImage, limits };
    await expect(run({ operation })).rejects.toMatchObject({ code: 'too_large' });
    expect(service.requests.length).toBe(before);
  });

  it('fails instead of waiting for a long Retry-After', async () => {
    service.disturb('/api/uploads', { status: 429, headers: { 'retry-after': '600' } });
    await expect(run()).rejects.toMatchObject({ message: expect.stringContaining('429') });
  });

  it.each([
    [
      'no response to the submission',
      'image-convert',
      /If it has arrived there, it continues and is charged/,
    ],
    ['a failing status', '/status/', /The job continues there and is charged if it succeeds/],
    ['a result that is gone', '/cdn/', /succeeded and is charged, but its result could not be fetched/],
  ])(
    'says what becomes of the job after %s',
    { tags: ['long'], timeout: 60_000 },
    async (_name, part, message) => {
      const failing = part === 'image-convert' ? 'break off' : { status: 500, headers: {} };
      service.disturb(part, ...Array(5).fill(failing));
      await expect(run()).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(message),
      });
    },
  );

  it('leaves the words of a refused submission as they are', async () => {
    service.disturb('image-convert', { status: 409, headers: { 'error-code': 'conflict' } });
    await expect(run()).rejects.toMatchObject({ code: 'conflict', isOfServer: true });
  });

  it.each(['/api/uploads', '/status/'])('can be cancelled while it waits for %s', async (part) => {
    const abort = new AbortController();
    service.disturb(part, { status: 503, headers: { 'retry-after': '10' } });
    const ended = run({ signal: abort.signal });
    await expect.poll(() => service.requests.at(-1)).toContain(part);
    abort.abort();
    await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
  });

  it.each([
    ['convert', mediaConvertImage, { to_format: 'webp' }],
    ['remove a background', removeBg, {}],
  ])('cancels the job to %s with the run, and it costs nothing', async (_name, operation, params) => {
    const idle = await startLoopbackService('', { hasRunner: false });
    try {
      const abort = new AbortController();
      const ended = run({ origin: idle.url, operation, params, file: photo, signal: abort.signal });
      await expect.poll(() => idle.requests.at(-1)).toContain('/status/');
      const { db } = idle.api.ctx;
      expect((await readBalance(db, idle.api.accountId)).held).toBeGreaterThan(0n);
      abort.abort();
      await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
      expect(
        await db.select({ status: schema.jobs.status, error: schema.jobs.error }).from(schema.jobs),
      ).toEqual([{ status: 'FAILED', error: 'canceled' }]);
      expect(await readBalance(db, idle.api.accountId)).toMatchObject({ balance: 1_000_000n, held: 0n });
    } finally {
      await idle.stop();
    }
  });

  it('fails as unavailable when the server cannot be reached', {
    tags: ['long'],
    timeout: 40_000,
  }, async () => {
    await expect(run({ origin: 'http://127.0.0.1:9' })).rejects.toMatchObject({ code: 'unavailable' });
  });
});

import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveResult } from '../../../server/api/results-listener.ts';
import { schema } from '../../../server/base/database/db.ts';
import { OPERATIONS, SHAPES } from '../../support/operations/shaped-operations.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { makeEntriesDue } from '../../support/service/make-entries-due.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' }, '50', SHAPES);
  await api.startRunner();
});
afterAll(() => api.close());

const upload = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  (await api.upload(bytes)).body.upload_url;
const sound = (seconds: number) => upload(new TextEncoder().encode(`AUDIO ${seconds}`));
const blank = async (width: number, height: number) => {
  const image = sharp({ create: { width, height, channels: 3, background: 'white' } });
  return await upload(new Uint8Array(await image.png().toBuffer()));
};
async function getName(url: string): Promise<string | null> {
  const response = await serveResult(api.ctx, new Request(url));
  const disposition = response.headers.get('content-disposition') ?? '';
  return `${await response.text()} as ${/filename="(.*?)"/.exec(disposition)?.[1]}`;
}

describe('POST of an operation that returns several files', () => {
  it('returns 202, and the job lists each file by its name, with their common media type', async () => {
    const { status, body } = await api.post('/shapes/stems', { audio_url: await sound(5.06), stems: 'four' });
    expect(status).toBe(202);
    const job = await api.ended(body.request_id);
    expect(job).toMatchObject({
      status: 'COMPLETED',
      output: { media_type: 'audio/mpeg' },
      billing: { charged_usd: '0.03' },
    });
    expect(await Promise.all(job.output.media_url.map(getName))).toEqual([
      'vocals as output-vocals.mp3',
      'drums as output-drums.mp3',
      'bass as output-bass.mp3',
      'other as output-other.mp3',
    ]);
    for (const url of job.output.media_url) expect(new URL(url).pathname).toMatch(/\/[a-z]+\.mp3$/);
  });

  it('returns 400 for a media type that the field does not accept', async () => {
    const response = await api.post('/shapes/stems', { audio_url: api.imageUrl });
    expect(response).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', message: 'audio_url: is image/png, but must be audio/* or video/*.' },
    });
  });

  it('reports multipart/mixed when the media types differ, and serves each file with its own', async () => {
    const { body } = await api.post('/shapes/outpaint', { image_url: api.imageUrl, num_images: 3 });
    const job = await api.ended(body.request_id);
    expect(job.output.media_type).toBe('multipart/mixed');
    const types = job.output.media_url.map(async (url: string) =>
      (await serveResult(api.ctx, new Request(url, { method: 'HEAD' }))).headers.get('content-type'),
    );
    expect(await Promise.all(types)).toEqual(['image/png', 'image/webp', 'image/png']);
  });
});

describe('POST of an operation that writes a document', () => {
  it.each([
    [{}, { ok: true, speakers: null, segments: [] }],
    [{ speaker_count: 3 }, { ok: true, speakers: 3, segments: [] }],
  ])('runs with %j and writes them to the file', async (params, document) => {
    const { body } = await api.post('/shapes/diarize', { audio_url: await sound(0.4), ...params });
    const { output, billing } = await api.ended(body.request_id);
    expect(output.media_type).toBe('application/json');
    const response = await serveResult(api.ctx, new Request(output.media_url[0]));
    expect(await response.json()).toEqual(document);
    expect(billing.charged_usd).toBe('0.005');
  });

  it.each([
    [0, /^speaker_count: must be at least 1\.$/],
    [21, /^speaker_count: must be at most 20\.$/],
    [1.5, /^speaker_count: must be an integer\.$/],
    ['2', /^speaker_count: must be a number\.$/],
  ])('returns 400 for a speaker_count of %s', async (speaker_count, message) => {
    const response = await api.post('/shapes/diarize', { audio_url: await sound(1), speaker_count });
    expect(response).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
  });
});

describe('POST of an operation with an optional wait', () => {
  it('returns 200 with its job in a terminal state', async () => {
    const request = { image_url: api.imageUrl, num_images: 2, zoom_out_percentage: 50.5, sync_mode: true };
    const { status, body } = await api.post('/shapes/outpaint', request);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'COMPLETED',
      model_id: 'shape-outpaint',
      output: {
        media_url: [expect.stringContaining('output-1.png'), expect.stringContaining('output-2.png')],
        media_type: 'image/png',
      },
    });
    const failed = await api.post('/shapes/outpaint', { ...request, zoom_out_percentage: 13 });
    expect(failed).toMatchObject({
      status: 200,
      body: { status: 'FAILED', error: 'The image is damaged.', output: null },
    });
  });

  it('returns 202 otherwise', async () => {
    expect((await api.post('/shapes/outpaint', { image_url: api.imageUrl })).status).toBe(202);
  });

  it('returns 400 for a number below the minimum', async () => {
    const response = await api.post('/shapes/outpaint', {
      image_url: api.imageUrl,
      zoom_out_percentage: -0.1,
    });
    expect(response).toMatchObject({
      status: 400,
      body: { message: 'zoom_out_percentage: must be at least 0.' },
    });
  });
});

describe('POST of an operation with its own response schema', () => {
  it('returns 200 with its members in order', async () => {
    const { status, body } = await api.post('/shapes/upscale', {
      image_url: await blank(200, 100),
      scale: 8,
    });
    expect(status).toBe(200);
    expect(Object.entries(body).slice(0, 6)).toEqual([
      ['status', 'success'],
      ['output_url', expect.stringContaining('/cdn/')],
      ['input_size', '200x100'],
      ['output_size', '1600x800'],
      ['scale', 8],
      ['credits_used', 10],
    ]);
    expect(Object.keys(body).slice(6)).toEqual(['request_id', 'engine', 'engine_licence', 'warnings']);
    const { request_id, engine, engine_licence, warnings, ...result } = body;
    expect((await api.status(request_id)).body.output.result).toEqual(result);
  });

  it.each([
    [3, 'scale: must be one of 2, 4, 8.'],
    ['2', 'scale: must be one of 2, 4, 8.'],
  ])('returns 400 for a scale of %s', async (scale, message) => {
    const response = await api.post('/shapes/upscale', { image_url: api.imageUrl, scale });
    expect(response).toMatchObject({ status: 400, body: { message } });
  });

  it('returns 400 naming the param when facts and params conflict, and stores nothing', async () => {
    const before = await api.ctx.db.$count(schema.jobs);
    const response = await api.post('/shapes/upscale', { image_url: await blank(2000, 1000), scale: 8 });
    expect(response).toMatchObject({
      status: 400,
      body: {
        message: 'scale: the output would have 128.0 megapixels, of at most 100. Choose a smaller scale.',
      },
    });
    expect(await api.ctx.db.$count(schema.jobs)).toBe(before);
  });
});

describe('a job stored by an older version', () => {
  /** Creates a job as an older version stored it, with other params, facts and details. */
  async function aged(path: string, body: object, changes: object): Promise<string> {
    const { request_id } = (await api.post(path, body)).body;
    await api.ended(request_id);
    await api.ctx.db.update(schema.jobs).set(changes).where(eq(schema.jobs.id, request_id));
    return request_id;
  }

  it('shows only members that it stored and that still exist', async () => {
    const changes = {
      params: { factor: 2 },
      facts: { pixels: 48 },
      details: { input_size: '8x6', size: 48, processing_ms: 7 },
    };
    const id = await aged('/shapes/upscale', { image_url: api.imageUrl }, changes);
    const { status, body } = await api.status(id);
    expect(status).toBe(200);
    expect(body.output.result).toEqual({
      status: 'success',
      output_url: body.output.media_url[0],
      input_size: '8x6',
      credits_used: 5,
    });
  });

  it('shows a verdict with fewer details, and one without any', async () => {
    const body = { image_url: api.imageUrl };
    const less = await aged('/shapes/moderation', body, { details: { flagged: true } });
    expect((await api.status(less)).body.output.result).toEqual({ flagged: true, ms: 0 });
    const none = await aged('/shapes/moderation', body, { details: null });
    expect(await api.status(none)).toMatchObject({ status: 200, body: { output: { media_url: [] } } });
  });

  it('is shown when its operation no longer exists', async () => {
    const id = await aged('/shapes/upscale', { image_url: api.imageUrl }, { operationId: 'shape-gone' });
    const { status, body } = await api.status(id);
    expect([status, body.model_id, body.output.media_url.length]).toEqual([200, 'shape-gone', 1]);
  });

  it('runs with params that no longer exist', async () => {
    const { limitsFor } = OPERATIONS['shape-stems'];
    expect(limitsFor({}, { stems: 'six' })).toEqual(OPERATIONS['shape-stems'].limits);
    await api.ctx.db.execute(
      "alter table jobs add constraint waits check (status <> 'PROCESSING') not valid",
    );
    const { body } = await api.post('/shapes/stems', { audio_url: await sound(1) });
    await api.ctx.db
      .update(schema.jobs)
      .set({ params: { stems: 'two', output_format: 'wav', shifts: 3 } })
      .where(eq(schema.jobs.id, body.request_id));
    await api.ctx.db.execute('alter table jobs drop constraint waits');
    await makeEntriesDue(api.ctx.db);
    expect(await api.ended(body.request_id)).toMatchObject({
      status: 'COMPLETED',
      output: { media_type: 'audio/wav' },
    });
  });
});

describe('the limits of a run', () => {
  it('follow from facts and params, and never exceed the memory limit of the operation', () => {
    const { limitsFor } = OPERATIONS['shape-stems'];
    const facts = { mediaType: 'audio/wav', durationSeconds: 100 };
    expect(limitsFor(facts, { stems: 'two', output_format: 'mp3' })).toEqual({
      inputBytesMax: 1_000_000,
      runSecondsMax: 210,
      memoryBytesMax: 500_000_000,
    });
    expect(limitsFor(facts, { stems: 'four', output_format: 'mp3' })).toEqual({
      inputBytesMax: 1_000_000,
      runSecondsMax: 410,
      memoryBytesMax: 600_000_000,
    });
  });
});

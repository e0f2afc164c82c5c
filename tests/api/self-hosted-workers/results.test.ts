import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { listPartialOutputs, listSettledItems, settleItem } from '../../../server/jobs/index.ts';
import { findOwnAttempt, storeOutput } from '../../../server/jobs/self-hosted/index.ts';
import { startBucket } from '../../support/servers/bucket.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import {
  CLAIMS,
  createOwnWorker,
  DONE,
  getDigest,
  getLength,
  type OwnWorker,
} from '../../support/service/own-worker.ts';

const SPEECH = join(import.meta.dirname, '../../fixtures/audio/mono-8k.wav');

let api: TestApi;
let worker: OwnWorker;
let webp: Buffer<ArrayBuffer>;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' }, '0');
  worker = createOwnWorker(api);
  webp = await drawRedBall('webp');
});
afterEach(() => worker.cancelAll());
afterAll(() => api.close());

describe('the result of a self-hosted worker', () => {
  it('takes only files that are what the operation makes', async () => {
    await worker.submit();
    const { claim_id } = (await worker.claim()).body;
    const readInput = (position: string) =>
      api.call('GET', `${CLAIMS}/${claim_id}/files?role=input&position=${position}`, { headers: worker.key });
    const outputs = () => api.ctx.db.$count(schema.files, eq(schema.files.role, 'output'));
    const before = await outputs();
    const png = await drawRedBall();
    const refused = [
      [worker.send(claim_id, webp, { 'content-digest': getDigest(png) }), 'Content-Digest'],
      [worker.send(claim_id, webp, { 'content-digest': '' }), 'Content-Digest'],
      [worker.send(claim_id, webp, { 'content-type': 'image/svg+xml' }), 'Content-Type'],
      [worker.send(claim_id, png), 'body'],
      [worker.send(claim_id, Buffer.from('<svg/>')), 'body'],
      [worker.send(claim_id, webp, {}, 'position=0&file=0&name=output.webp'), 'position'],
      [worker.send(claim_id, webp, {}, 'file=1&name=output.webp'), 'file'],
      [worker.send(claim_id, webp, {}, 'file=&name=output.webp'), 'file'],
      [worker.send(claim_id, webp, {}, 'name=output.webp'), 'file'],
      [readInput(''), 'position'],
      [readInput('0x0'), 'position'],
      [worker.send(claim_id, webp, {}, 'file=0&name=..%2Fa.webp'), 'name'],
      [worker.send(claim_id, webp, {}, 'file=0&name=a.exe'), 'name'],
    ] as const;
    for (const [call, field] of refused) expect(await call).toMatchObject({ status: 400, body: { field } });
    expect(await outputs()).toBe(before);
  });

  it('never gives its result to a later request as a cached one', async () => {
    const background = `${api.files.url}/sky.png`;
    const request = { image_url: `${api.files.url}/subject.png`, background, run_on: 'own' };
    const later = { prefer: 'respond-async', ...getLength(request) };
    const { request_id } = (await api.removeBg(request, later)).body;
    const { claim_id, runs } = (await worker.claim()).body;
    const attached = await api.call('GET', `/api${runs[0].attachments.background.path}`, {
      headers: worker.key,
    });
    expect(attached.headers.get('etag')).toBe(`"${runs[0].attachments.background.sha256}"`);
    const png = await drawRedBall();
    await worker.send(claim_id, png, { 'content-type': 'image/png' }, 'file=0&name=output.png');
    const details = { original_size: '160x120', subjects_detected: 1, matte_quality: 'high' };
    expect((await worker.post(claim_id, 'report', { ...DONE, details: { original_size: 7 } })).status).toBe(
      400,
    );
    const reported = await worker.post(claim_id, 'report', { ...DONE, engine: 'matte', details });
    expect([reported.body.message, reported.body.status]).toEqual([undefined, 'COMPLETED']);
    const again = (await api.removeBg(request, later)).body;
    expect(again).toMatchObject({ status: 'QUEUED' });
    expect(again.request_id).not.toBe(request_id);
  });
});

/** Sends a file that arrives after something else has happened. */
async function sendLate(claimId: string, beforehand: () => Promise<unknown>) {
  const { accountId, ctx } = api;
  const own = await findOwnAttempt(ctx, { accountId, operations: null }, claimId);
  return await storeOutput(ctx, own, {
    place: { item: 0, file: 0 },
    name: 'late.webp',
    mediaType: 'image/webp',
    sha256: createHash('sha256').update(webp).digest(),
    body: (async function* () {
      yield webp;
      await beforehand();
    })(),
    signal: new AbortController().signal,
    count() {},
  });
}

const getOutputs = (id: string) =>
  api.ctx.db
    .select({ name: schema.files.name })
    .from(schema.files)
    .where(and(eq(schema.files.jobId, id), eq(schema.files.role, 'output')));

describe('a file that arrives late', () => {
  it('takes no place in an item that is settled', async () => {
    const items = ['subject.png', 'photo.png'].map((name) => ({ image_url: `${api.files.url}/${name}` }));
    const body = { items, to_format: 'webp', run_on: 'own' };
    const path = '/media-tools/v1/image-convert/batch';
    const { request_id } = (await api.post(path, body, getLength(body))).body;
    const { claim_id } = (await worker.claim()).body;
    await worker.send(claim_id, webp);
    const late = sendLate(claim_id, () => worker.post(claim_id, 'report', DONE));
    await expect(late).rejects.toMatchObject({ code: 'bad_request', field: 'position' });
    expect(await getOutputs(request_id)).toEqual([{ name: 'output.webp' }]);
  });

  it('takes no place in a result that is on its way to the client’s bucket', async () => {
    const bucket = await startBucket();
    const id = await worker.submit({ output_urls: [bucket.presign()] });
    const { claim_id } = (await worker.claim()).body;
    await worker.send(claim_id, webp);
    const late = sendLate(claim_id, () => worker.post(claim_id, 'report', DONE));
    await expect(late).rejects.toMatchObject({ code: 'conflict', field: 'claim_id' });
    expect(await getOutputs(id)).toEqual([{ name: 'output.webp' }]);
    await bucket.close();
  });

  it('replaces a file that no report has named yet', async () => {
    const id = await worker.submit();
    const { claim_id } = (await worker.claim()).body;
    await worker.send(claim_id, webp);
    await sendLate(claim_id, async () => {});
    expect(await getOutputs(id)).toEqual([{ name: 'late.webp' }]);
  });
});

it('an item is not settled with a file that was replaced since its report began', async () => {
  const items = [{ image_url: `${api.files.url}/subject.png` }];
  const body = { items, to_format: 'webp', run_on: 'own' };
  const { request_id: id } = (await api.post('/media-tools/v1/image-convert/batch', body, getLength(body)))
    .body;
  const { claim_id, attempt } = (await worker.claim()).body;
  await worker.send(claim_id, webp);
  const sent = await listPartialOutputs(api.ctx.db, id, 0);
  await sendLate(claim_id, async () => {});
  const files = sent.map(({ key, name, mediaType, bytes, sha256 }) => ({
    key,
    name,
    mediaType,
    bytes,
    sha256,
  }));
  const done = { position: 0, outcome: { status: 'success', warnings: [] } as const, files };
  expect(await settleItem(api.ctx.db, { id, attempt }, done)).toBe(false);
  expect(await listSettledItems(api.ctx.db, id)).toEqual([]);
});

describe('what a self-hosted worker sends', () => {
  it('is counted while it arrives: many files at once do not fill the disk', async () => {
    const small = await startApi({ ACCOUNT_FETCHED_MB: '0.05' }, '0');
    try {
      const machine = createOwnWorker(small);
      await machine.submit();
      const { claim_id } = (await machine.claim()).body;
      const large = Buffer.concat([webp, Buffer.alloc(60_000)]);
      expect(await machine.send(claim_id, large)).toMatchObject({ status: 429 });
      expect(await machine.send(claim_id, webp)).toMatchObject({ status: 201 });
    } finally {
      await small.close();
    }
  });

  it('is JSON of few enough values to parse', async () => {
    await worker.claim();
    const { body: speech } = await api.upload(await readFile(SPEECH));
    const request = { audio_url: speech.upload_url, run_on: 'own' };
    const { request_id } = (await api.post('/audio-tools/v1/diarize', request, getLength(request))).body;
    const { claim_id } = (await worker.claim({ operations: ['audio-diarize'] })).body;
    expect(claim_id).toBe(`${request_id}.1`);
    const send = (text: string) =>
      worker.send(
        claim_id,
        Buffer.from(text),
        { 'content-type': 'application/json' },
        'file=0&name=output.json',
      );
    expect(await send(`[${'{},'.repeat(300_000)}{}]`)).toMatchObject({
      status: 400,
      body: { field: 'body' },
    });
    expect(await send(`[${'{},'.repeat(100_000)}{}]`)).toMatchObject({ status: 201 });
  });

  it('reports findings of bounded size', async () => {
    await worker.submit();
    const { claim_id } = (await worker.claim()).body;
    await worker.send(claim_id, webp);
    const report = { ...DONE, details: { note: 'x'.repeat(100_000) } };
    expect(await worker.post(claim_id, 'report', report)).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
  });
});

describe('a verdict with run_on: own', () => {
  it('comes from the account’s machine while its request waits', async () => {
    const request = { image_url: `${api.files.url}/subject.png`, categories: ['Sexual'], run_on: 'own' };
    const response = api.post('/content-safety/v1/image-moderation', request, getLength(request));
    const { claim_id } = (await worker.claim({ wait_seconds: 20 })).body;
    const categories = [{ category: 'Sexual', severity: 2 }];
    const details = { flagged: false, categories, severity_threshold: 4 };
    const wrong = { ...details, categories: [{ category: 'Sexual', severity: 3 }] };
    expect((await worker.post(claim_id, 'report', { ...DONE, details: wrong })).status).toBe(400);
    await worker.post(claim_id, 'report', { ...DONE, engine: 'mine', details });
    expect(await response).toMatchObject({ status: 200, body: { ...details, ms: 12, engine: 'mine' } });
  });
});

describe('a batch with run_on: own', () => {
  it('is run item by item; what an earlier worker has settled stays', async () => {
    const items = ['subject.png', 'photo.png', 'note.txt'].map((name) => ({
      image_url: `${api.files.url}/${name}`,
    }));
    const body = { items, to_format: 'webp', run_on: 'own' };
    const { request_id: id } = (await api.post('/media-tools/v1/image-convert/batch', body, getLength(body)))
      .body;
    const { claim_id: first, runs } = (await worker.claim()).body;
    expect(runs.map(({ position }: { position: number }) => position)).toEqual([0, 1]);
    expect((await worker.send(first, webp)).status).toBe(201);
    // Only the service says which items are repeated.
    const forged = { ...DONE, details: { cached: true, duplicate_of: 7 } };
    expect((await worker.post(first, 'report', forged)).body).toEqual({ status: 'PROCESSING' });
    await worker.endLease(id);
    const { claim_id: second, runs: left } = (await worker.claim()).body;
    expect(left).toHaveLength(1);
    const fault = { outcome: 'retry', position: 1, code: 'crashed', message: 'The process ended.' };
    expect((await worker.post(second, 'report', fault)).body).toEqual({ status: 'PROCESSING' });
    await worker.endLease(id);
    const { claim_id } = (await worker.claim()).body;
    const failure = { outcome: 'failed', position: 1, code: 'unprocessable', message: 'It is torn.' };
    expect((await worker.post(claim_id, 'report', failure)).body).toEqual({ status: 'COMPLETED' });
    const { output, billing } = (await api.status(id)).body;
    expect(billing).toEqual({ held_usd: '0.00', charged_usd: '0.00' });
    expect(output.items[0]).not.toHaveProperty('duplicate_of');
    expect(output.items).toMatchObject([
      { status: 'success', cached: false, media_url: [expect.stringContaining('/cdn/')], engine: 'codec' },
      { status: 'failed', error: 'It is torn.' },
      { status: 'failed', field: 'items[2].image_url' },
    ]);
  });
});

import { createHash, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../../../server/accounts/index.ts';
import { schema } from '../../../server/base/db.ts';
import { endOverdueJobs } from '../../../server/jobs/index.ts';
import { issueKey } from '../../../server/keys/index.ts';
import { releaseLapsedEntries } from '../../../server/queue/index.ts';
import { readBalance, reconcileBalances } from '../../../server/wallet/index.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';
import { makeEntriesDue } from '../../support/service/make-entries-due.ts';
import { startSandbox } from '../../support/service/sandbox.ts';

const CLAIMS = '/api/v2/worker/claims';
const DONE = { outcome: 'completed', position: 0, engine: 'codec', processing_ms: 12 };

let api: TestApi;
let conforms: Awaited<ReturnType<typeof createConformanceCheck>>;
let webp: Buffer<ArrayBuffer>;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' }, '0');
  conforms = await createConformanceCheck(api);
  webp = await drawRedBall('webp');
});
afterEach(async () => {
  const left = await api.call('GET', '/api/v2/requests?status=QUEUED,PROCESSING', { headers: key() });
  for (const { request_id } of left.body.requests) {
    await api.call('DELETE', `/api/v2/requests/${request_id}`, { headers: key() });
  }
  expect(await readBalance(api.ctx.db, api.accountId)).toMatchObject({ balance: 0n, held: 0n });
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
});
afterAll(() => api.close());

type Body = Record<string, unknown>;
const key = () => ({ authorization: `Bearer ${api.apiKey}` });
const digest = (bytes: Uint8Array) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

/** Leaves a conversion to the account's own machines. */
async function submit(more: Body = {}): Promise<string> {
  const request = { image_url: `${api.files.url}/subject.png`, to_format: 'webp', run_on: 'own', ...more };
  const { status, body } = await api.convert(request);
  expect([status, body.message]).toEqual([202, undefined]);
  return body.request_id;
}

const claim = (body: Body = {}, headers = key()) =>
  api.call('POST', CLAIMS, { body: { wait_seconds: 0, ...body }, headers });
const ofClaim = (id: string, path: string, body: unknown, headers = key()) =>
  api.call('POST', `${CLAIMS}/${id}/${path}`, { body, headers });
const send = (id: string, bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, query = '') =>
  api.call('POST', `${CLAIMS}/${id}/files?position=0&file=0&name=output.webp${query}`, {
    body: bytes,
    headers: { ...key(), 'content-type': 'image/webp', 'content-digest': digest(bytes), ...headers },
  });
const statusOf = async (id: string) => (await api.status(id)).body;

/** Lets the lease of a job run out, as after the death of its worker. */
async function endLeaseOf(id: string): Promise<void> {
  await api.ctx.db.execute(
    sql`update queue_entries set leased_until = now() - interval '1 second' where id = ${id}`,
  );
}

describe('a job with run_on: own', () => {
  it('costs nothing, holds nothing, and a balance of 0 is enough; any other one needs money', async () => {
    const request = { image_url: api.imageUrl, to_format: 'webp' };
    expect(await api.convert(request)).toMatchObject({
      status: 402,
      body: { code: 'insufficient_balance' },
    });
    const id = await submit();
    expect(await statusOf(id)).toMatchObject({
      status: 'QUEUED',
      run_on: 'own',
      billing: { held_usd: '0.00', charged_usd: '0.00' },
    });
    const asked = { model_id: 'media-convert-image', request: { ...request, run_on: 'own' } };
    expect(await api.post('/v2/quotes', asked)).toMatchObject({
      status: 200,
      body: { price_usd: '0.00', engine: null },
    });
    expect(await api.convert({ ...request, run_on: 'mine' })).toMatchObject({ status: 402 });
  });

  it('is completed by the account’s machine, whose receipt and state say so', async () => {
    const id = await submit({ reference: 'order 7' });
    const answer = await claim({ worker: 'studio-2', operations: ['media-convert-image'] });
    expect(conforms('POST', '/v2/worker/claims', answer)).toEqual([]);
    const { claim_id, runs, ...rest } = answer.body;
    expect(rest).toMatchObject({ request_id: id, operation: 'media-convert-image', attempt: 1 });
    const [run] = runs;
    expect(run.params).toMatchObject({ to_format: 'webp', quality: expect.any(Number) });
    const input = await api.call('GET', `/api${run.input.path}`, { headers: key() });
    expect(input.headers.get('etag')).toBe(`"${run.input.sha256}"`);

    const kept = await ofClaim(claim_id, 'progress', { progress: 0.4 });
    expect(conforms('POST', '/v2/worker/claims/{claim_id}/progress', kept)).toEqual([]);
    expect(await statusOf(id)).toMatchObject({ status: 'PROCESSING', progress: 0.4 });
    expect(await ofClaim(claim_id, 'report', DONE)).toMatchObject({ status: 400 });
    const sent = await send(claim_id, webp);
    expect(conforms('POST', '/v2/worker/claims/{claim_id}/files', sent)).toEqual([]);
    // A response may be lost: both calls may come again.
    expect(await send(claim_id, webp)).toMatchObject({ status: 201, body: sent.body });
    const sha256 = 'ab'.repeat(32);
    const report = { ...DONE, weights: [{ id: 'mine', sha256 }] };
    const reported = await ofClaim(claim_id, 'report', report);
    expect(conforms('POST', '/v2/worker/claims/{claim_id}/report', reported)).toEqual([]);
    expect(reported.body).toEqual({ status: 'COMPLETED' });
    expect(await ofClaim(claim_id, 'report', report)).toMatchObject({ status: 200, body: reported.body });

    const job = await statusOf(id);
    expect(job).toMatchObject({
      status: 'COMPLETED',
      run_on: 'own',
      reference: 'order 7',
      engine: 'codec',
      billing: { charged_usd: '0.00' },
      output: { media_url: [expect.stringContaining('/cdn/')], media_type: 'image/webp' },
    });
    const payload = JSON.parse(Buffer.from(job.receipt.split('.')[1], 'base64url').toString());
    expect(payload).toMatchObject({ run_on: 'own', charged_usd: '0.00', weights: [{ id: 'mine', sha256 }] });
    expect(payload.outputs).toEqual([sent.body]);
    expect(await ofClaim(claim_id, 'progress', { progress: 1 })).toMatchObject({ status: 409 });
  });

  it('is no other account’s: not to take, and its claim is not found', async () => {
    const { accountId } = await openAccount(api.ctx.db, `${randomUUID()}@example.com`);
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'other' });
    const other = { authorization: `Bearer ${apiKey}` };
    await submit();
    expect(await claim({}, other)).toMatchObject({ status: 204 });
    const { claim_id, runs } = (await claim()).body;
    const calls = [
      ofClaim(claim_id, 'progress', { progress: 1 }, other),
      ofClaim(claim_id, 'report', DONE, other),
      send(claim_id, webp, other),
      api.call('GET', `/api${runs[0].input.path}`, { headers: other }),
      api.call('DELETE', `${CLAIMS}/${claim_id}`, { headers: other }),
    ];
    for (const call of calls) expect(await call).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await ofClaim(claim_id, 'progress', { progress: 0.1 })).toMatchObject({ status: 200 });
  });

  it('goes to workers that take its operation, and that the key allows', async () => {
    const limited = await issueKey(api.ctx.db, {
      accountId: api.accountId,
      name: 'limited',
      operations: ['upscale'],
    });
    await submit();
    expect(await claim({ operations: ['upscale'] })).toMatchObject({ status: 204 });
    expect(await claim({}, { authorization: `Bearer ${limited.apiKey}` })).toMatchObject({ status: 204 });
    expect(await claim({ operations: ['toast'] })).toMatchObject({ status: 400 });
    expect(await claim({ operations: ['media-convert-image'] })).toMatchObject({ status: 200 });
  });

  it('returns when its worker dies, whose late words are refused', async () => {
    const id = await submit();
    const { claim_id: first } = (await claim()).body;
    await send(first, webp);
    expect(await claim()).toMatchObject({ status: 204 });
    await endLeaseOf(id);
    // Nobody else has it yet, and its worker may be back.
    expect(await ofClaim(first, 'progress', { progress: 0.2 })).toMatchObject({ status: 200 });
    await endLeaseOf(id);
    await releaseLapsedEntries(api.ctx.db);
    const { claim_id: second, attempt } = (await claim()).body;
    expect(attempt).toBe(2);
    const stale = [
      ofClaim(first, 'progress', { progress: 1 }),
      send(first, webp),
      ofClaim(first, 'report', DONE),
      ofClaim(first, 'report', { outcome: 'failed', position: 0, code: 'unprocessable', message: 'No.' }),
    ];
    for (const call of stale) {
      expect(await call).toMatchObject({ status: 409, body: { code: 'conflict', field: 'claim_id' } });
    }
    expect((await api.call('DELETE', `${CLAIMS}/${first}`, { headers: key() })).status).toBe(204);
    // What the first one sent is not the second one's result.
    expect(await ofClaim(second, 'report', DONE)).toMatchObject({ status: 400 });
    await send(second, webp);
    expect((await ofClaim(second, 'report', DONE)).body).toEqual({ status: 'COMPLETED' });
  });

  it('ends in ERROR after three deaths or failures; a return does not count', async () => {
    const id = await submit();
    for (const attempt of [1, 2]) {
      const { claim_id } = (await claim()).body;
      expect(claim_id).toBe(`${id}.${attempt}`);
      const answers = ['first', 'again'].map(() =>
        api.call('DELETE', `${CLAIMS}/${claim_id}`, { headers: key() }),
      );
      for (const answer of answers) expect((await answer).status).toBe(204);
    }
    const [row] = await api.ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, id));
    expect(row).toMatchObject({ attempt: 2, excused: 2 });
    const failure = { outcome: 'retry', position: 0, code: 'crashed', message: 'The process ended.' };
    for (const status of ['PROCESSING', 'PROCESSING', 'ERROR']) {
      await makeEntriesDue(api.ctx.db);
      const { claim_id } = (await claim()).body;
      expect((await ofClaim(claim_id, 'report', failure)).body).toEqual({ status });
    }
    expect(await statusOf(id)).toMatchObject({
      status: 'ERROR',
      code: 'crashed',
      error: 'processing_failed: The process ended.',
    });
  });

  it('is FAILED by its input as its worker says', async () => {
    const id = await submit();
    const { claim_id } = (await claim()).body;
    const failure = { outcome: 'failed', position: 0, code: 'unprocessable', message: 'image_url: is torn.' };
    expect((await ofClaim(claim_id, 'report', { ...failure, field: 'image_url' })).body).toEqual({
      status: 'FAILED',
    });
    expect(await statusOf(id)).toMatchObject({
      error: 'image_url: is torn.',
      field: 'image_url',
      receipt: null,
    });
  });

  it('waits for a worker until its deadline, and no longer', async () => {
    const [early, late] = [await submit(), await submit()];
    await api.ctx.db.execute(
      sql`update jobs set created_at = now() - interval '7 hours' where id in (${early}, ${late})`,
    );
    const { claim_id } = (await claim()).body;
    expect(claim_id).toBeUndefined();
    await endOverdueJobs(api.ctx);
    for (const id of [early, late]) {
      expect(await statusOf(id)).toMatchObject({
        status: 'ERROR',
        code: 'unavailable',
        error: expect.stringContaining('No worker of this account'),
      });
    }
  });

  it('tells its worker that it was canceled, which counts as no failure', async () => {
    const id = await submit();
    const { claim_id } = (await claim()).body;
    await api.call('DELETE', `/api/v2/requests/${id}`, { headers: key() });
    expect(await ofClaim(claim_id, 'progress', { progress: 0.5 })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('was canceled') },
    });
    expect(await ofClaim(claim_id, 'report', DONE)).toMatchObject({ status: 409 });
    expect(await api.ctx.db.select().from(schema.failureBudgets)).toEqual([]);
  });

  it('takes only files that are what the operation makes', async () => {
    await submit();
    const { claim_id } = (await claim()).body;
    const outputs = () => api.ctx.db.$count(schema.files, eq(schema.files.role, 'output'));
    const before = await outputs();
    const png = await drawRedBall();
    const refused = [
      [send(claim_id, webp, { 'content-digest': digest(png) }), 'Content-Digest'],
      [send(claim_id, webp, { 'content-digest': '' }), 'Content-Digest'],
      [send(claim_id, webp, { 'content-type': 'image/svg+xml' }), 'Content-Type'],
      [send(claim_id, png), 'body'],
      [send(claim_id, Buffer.from('<svg/>')), 'body'],
      [send(claim_id, webp, {}, '&position=0'), 'position'],
    ] as const;
    for (const [call, field] of refused) expect(await call).toMatchObject({ status: 400, body: { field } });
    const place = async (query: string) =>
      await api.call('POST', `${CLAIMS}/${claim_id}/files?${query}`, {
        body: webp,
        headers: { ...key(), 'content-type': 'image/webp', 'content-digest': digest(webp) },
      });
    expect(await place('position=0&file=1&name=output.webp')).toMatchObject({ body: { field: 'file' } });
    expect(await place('position=1&file=0&name=output.webp')).toMatchObject({ body: { field: 'position' } });
    expect(await place('position=0&file=0&name=..%2Fa.webp')).toMatchObject({ body: { field: 'name' } });
    expect(await place('position=0&file=0&name=a.exe')).toMatchObject({ body: { field: 'name' } });
    expect(await outputs()).toBe(before);
  });

  it('never gives its result to a later request as a cached one', async () => {
    const request = { image_url: `${api.files.url}/subject.png`, run_on: 'own' };
    const later = { prefer: 'respond-async' };
    const { request_id } = (await api.removeBg(request, later)).body;
    const { claim_id } = (await claim()).body;
    const png = await drawRedBall();
    await api.call('POST', `${CLAIMS}/${claim_id}/files?position=0&file=0&name=output.png`, {
      body: png,
      headers: { ...key(), 'content-type': 'image/png', 'content-digest': digest(png) },
    });
    const details = { original_size: '160x120', subjects_detected: 1, matte_quality: 'high' };
    expect((await ofClaim(claim_id, 'report', { ...DONE, details: { original_size: 7 } })).status).toBe(400);
    const reported = await ofClaim(claim_id, 'report', { ...DONE, engine: 'matte', details });
    expect([reported.body.message, reported.body.status]).toEqual([undefined, 'COMPLETED']);
    const again = (await api.removeBg(request, later)).body;
    expect(again).toMatchObject({ status: 'QUEUED' });
    expect(again.request_id).not.toBe(request_id);
  });
});

describe('a batch with run_on: own', () => {
  it('is run item by item; what an earlier worker has settled stays', async () => {
    const items = ['subject.png', 'photo.png', 'note.txt'].map((name) => ({
      image_url: `${api.files.url}/${name}`,
    }));
    const body = { items, to_format: 'webp', run_on: 'own' };
    const { request_id: id } = (await api.post('/media-tools/v1/image-convert/batch', body)).body;
    const { claim_id: first, runs } = (await claim()).body;
    expect(runs.map(({ position }: { position: number }) => position)).toEqual([0, 1]);
    expect((await send(first, webp)).status).toBe(201);
    expect((await ofClaim(first, 'report', DONE)).body).toEqual({ status: 'PROCESSING' });
    await endLeaseOf(id);
    const { claim_id, runs: left } = (await claim()).body;
    expect(left).toHaveLength(1);
    const failure = { outcome: 'failed', position: 1, code: 'unprocessable', message: 'It is torn.' };
    expect((await ofClaim(claim_id, 'report', failure)).body).toEqual({ status: 'COMPLETED' });
    const { output, billing } = await statusOf(id);
    expect(billing).toEqual({ held_usd: '0.00', charged_usd: '0.00' });
    expect(output.items).toMatchObject([
      { status: 'success', media_url: [expect.stringContaining('/cdn/')], engine: 'codec' },
      { status: 'failed', error: 'It is torn.' },
      { status: 'failed', field: 'items[2].image_url' },
    ]);
  });
});

describe('a test key', () => {
  it('never leaves its jobs to machines of the account', async () => {
    const sandbox = await startSandbox(api);
    const request = { image_url: api.imageUrl, to_format: 'webp', run_on: 'own' };
    const { request_id } = (await sandbox.post('/media-tools/v1/image-convert', request)).body;
    expect((await sandbox.get(`/v2/requests/status/${request_id}`)).body).toMatchObject({
      run_on: 'service',
    });
    const refused = await sandbox.post('/v2/worker/claims', { wait_seconds: 0 });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await claim()).toMatchObject({ status: 204 });
  });
});

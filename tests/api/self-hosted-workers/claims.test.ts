import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { releaseLapsedEntries } from '../../../server/base/queue/index.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { endOverdueJobs, listRunning } from '../../../server/jobs/index.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';
import { makeEntriesDue } from '../../support/service/make-entries-due.ts';
import { createOwnWorker, DONE, getLength, type OwnWorker } from '../../support/service/own-worker.ts';
import { startSandbox } from '../../support/service/sandbox.ts';

let api: TestApi;
let conforms: Awaited<ReturnType<typeof createConformanceCheck>>;
let webp: Buffer<ArrayBuffer>;
let worker: OwnWorker;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' }, '0');
  worker = createOwnWorker(api);
  conforms = await createConformanceCheck(api);
  webp = await drawRedBall('webp');
});
afterEach(async () => {
  await worker.cancelAll();
  expect(await readBalance(api.ctx.db, api.accountId)).toMatchObject({ balance: 0n, held: 0n });
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
});
afterAll(() => api.close());

const getStatus = async (id: string) => (await api.status(id)).body;

describe('a job with run_on: own', () => {
  it('costs nothing, holds nothing, and a balance of 0 is enough; any other one needs money', async () => {
    const request = { image_url: api.imageUrl, to_format: 'webp' };
    expect(await api.convert(request, getLength(request))).toMatchObject({
      status: 402,
      body: { code: 'insufficient_balance' },
    });
    const id = await worker.submit();
    expect(await getStatus(id)).toMatchObject({
      status: 'QUEUED',
      run_on: 'own',
      billing: { held_usd: '0.00', charged_usd: '0.00' },
    });
    const asked = { model_id: 'media-convert-image', request: { ...request, run_on: 'own' } };
    expect(await api.post('/v2/quotes', asked)).toMatchObject({
      status: 200,
      body: { price_usd: '0.00', engine: null },
    });
    const wrong = { ...request, run_on: 'mine' };
    const refusal = {
      status: 400,
      body: { field: 'run_on', message: expect.stringContaining('service, own') },
    };
    expect(await api.convert(wrong, getLength(wrong))).toMatchObject(refusal);
    expect(await api.post('/v2/quotes', { ...asked, request: wrong })).toMatchObject(refusal);
  });

  it('lets an account without money upload a file once a machine of it is there', async () => {
    await api.ctx.db.delete(schema.queueTurns);
    const refusal = { status: 402, body: { message: expect.stringContaining('"darkroom worker" runs') } };
    expect(await api.upload(webp)).toMatchObject(refusal);
    // Neither a wrong claim nor one that may take no job is a machine that could.
    expect(await worker.claim({ operations: ['toast'] })).toMatchObject({ status: 400 });
    const other = await worker.limitedTo('upscale');
    expect(await worker.claim({ operations: ['media-convert-image'] }, other)).toMatchObject({ status: 204 });
    expect(await api.upload(webp)).toMatchObject(refusal);
    await worker.claim();
    const { body } = await api.upload(webp);
    await worker.submit({ image_url: body.upload_url });
  });

  it('is completed by the account’s machine, whose receipt and state say so', async () => {
    const id = await worker.submit({ reference: 'order 7' });
    const response = await worker.claim({ worker: 'studio-2', operations: ['media-convert-image'] });
    expect(conforms('POST', '/v2/worker/claims', response)).toEqual([]);
    const { claim_id, runs, ...rest } = response.body;
    expect(rest).toMatchObject({ request_id: id, operation: 'media-convert-image', attempt: 1 });
    const [run] = runs;
    expect(run.params).toMatchObject({ to_format: 'webp', quality: expect.any(Number) });
    const input = await api.call('GET', `/api${run.input.path}`, { headers: worker.key });
    expect(input.headers.get('etag')).toBe(`"${run.input.sha256}"`);

    const kept = await worker.post(claim_id, 'progress', { progress: 0.4 });
    expect(conforms('POST', '/v2/worker/claims/{claim_id}/progress', kept)).toEqual([]);
    expect(await getStatus(id)).toMatchObject({ status: 'PROCESSING', progress: 0.4 });
    expect(await worker.post(claim_id, 'report', DONE)).toMatchObject({ status: 400 });
    const sent = await worker.send(claim_id, webp);
    expect(conforms('POST', '/v2/worker/claims/{claim_id}/files', sent)).toEqual([]);
    // A response may be lost: both calls may come again.
    expect(await worker.send(claim_id, webp)).toMatchObject({ status: 201, body: sent.body });
    const sha256 = 'ab'.repeat(32);
    const report = { ...DONE, weights: [{ id: 'mine', sha256 }] };
    const reported = await worker.post(claim_id, 'report', report);
    expect(conforms('POST', '/v2/worker/claims/{claim_id}/report', reported)).toEqual([]);
    expect(reported.body).toEqual({ status: 'COMPLETED' });
    expect(await worker.post(claim_id, 'report', report)).toMatchObject({ status: 200, body: reported.body });

    const job = await getStatus(id);
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
    expect(await worker.post(claim_id, 'progress', { progress: 1 })).toMatchObject({ status: 409 });
  });

  it('shows its worker in the list, with when it was seen and what it runs, to keys without limits', async () => {
    const headers = { authorization: `Bearer ${api.apiKey}` };
    const list = async () => (await api.call('GET', '/api/v2/workers', { headers })).body.workers;
    const id = await worker.submit();
    const { body } = await worker.claim({ worker: 'studio-9' });
    const [first] = await list();
    expect(first).toEqual({ name: 'studio-9', last_seen_at: expect.any(String), jobs: [id] });
    expect(Date.now() - Date.parse(first.last_seen_at)).toBeLessThan(60_000);
    await worker.giveBack(body.claim_id);
    expect(await list()).toContainEqual({ ...first, last_seen_at: expect.any(String), jobs: [] });
    const response = await api.call('GET', '/api/v2/workers', { headers });
    expect(conforms('GET', '/v2/workers', response)).toEqual([]);
    const { apiKey } = await issueKey(api.ctx.db, {
      accountId: api.accountId,
      name: 'limited',
      operations: ['upscale'],
    });
    const limited = { authorization: `Bearer ${apiKey}` };
    expect(await api.call('GET', '/api/v2/workers', { headers: limited })).toMatchObject({ status: 403 });
  });

  it('is no other account’s: not to take, and its claim is not found', async () => {
    const { accountId } = await openAccount(api.ctx.db, `${randomUUID()}@example.com`);
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'other' });
    const other = { authorization: `Bearer ${apiKey}` };
    await worker.submit();
    expect(await worker.claim({}, other)).toMatchObject({ status: 204 });
    const { claim_id, runs } = (await worker.claim()).body;
    const calls = [
      worker.post(claim_id, 'progress', { progress: 1 }, other),
      worker.post(claim_id, 'report', DONE, other),
      worker.send(claim_id, webp, other),
      api.call('GET', `/api${runs[0].input.path}`, { headers: other }),
      worker.giveBack(claim_id, other),
    ];
    for (const call of calls) expect(await call).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await worker.post(claim_id, 'progress', { progress: 0.1 })).toMatchObject({ status: 200 });
  });

  it('goes to workers that take its operation, and that the key allows', async () => {
    const headers = await worker.limitedTo('upscale');
    await worker.submit();
    expect(await worker.claim({ operations: ['upscale'] })).toMatchObject({ status: 204 });
    expect(await worker.claim({}, headers)).toMatchObject({ status: 204 });
    expect(await worker.claim({ operations: ['toast'] })).toMatchObject({ status: 400 });
    const { claim_id, runs } = (await worker.claim({ operations: ['media-convert-image'] })).body;
    expect(await api.call('GET', `/api${runs[0].input.path}`, { headers })).toMatchObject({ status: 404 });
    expect(await worker.post(claim_id, 'report', DONE, headers)).toMatchObject({ status: 404 });
  });

  it('returns when its worker dies, whose late words are refused', async () => {
    const id = await worker.submit();
    const { claim_id: first } = (await worker.claim()).body;
    await worker.send(first, webp);
    expect(await worker.claim()).toMatchObject({ status: 204 });
    await worker.endLease(id);
    // No other worker has it yet, and its own may be back.
    expect(await worker.post(first, 'progress', { progress: 0.2 })).toMatchObject({ status: 200 });
    await worker.endLease(id);
    await releaseLapsedEntries(api.ctx.db);
    const { claim_id: second, attempt } = (await worker.claim()).body;
    expect(attempt).toBe(2);
    const stale = [
      worker.post(first, 'progress', { progress: 1 }),
      worker.send(first, webp),
      worker.post(first, 'report', DONE),
      worker.post(first, 'report', { outcome: 'failed', position: 0, code: 'unprocessable', message: 'No.' }),
    ];
    for (const call of stale) {
      expect(await call).toMatchObject({ status: 409, body: { code: 'conflict', field: 'claim_id' } });
    }
    expect((await worker.giveBack(first)).status).toBe(204);
    // What the first one sent is not the second one's result.
    expect(await worker.post(second, 'report', DONE)).toMatchObject({ status: 400 });
    await worker.send(second, webp);
    expect((await worker.post(second, 'report', DONE)).body).toEqual({ status: 'COMPLETED' });
  });

  it('ends in ERROR after three deaths or failures; a return does not count', async () => {
    const id = await worker.submit();
    for (const attempt of [1, 2]) {
      const { claim_id } = (await worker.claim()).body;
      expect(claim_id).toBe(`${id}.${attempt}`);
      const responses = ['first', 'again'].map(() => worker.giveBack(claim_id));
      for (const response of responses) expect((await response).status).toBe(204);
    }
    const [row] = await api.ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, id));
    expect(row).toMatchObject({ attempt: 2, uncountedAttempts: 2 });
    const failure = { outcome: 'retry', position: 0, code: 'crashed', message: 'The process ended.' };
    for (const status of ['PROCESSING', 'PROCESSING', 'ERROR']) {
      await makeEntriesDue(api.ctx.db);
      const { claim_id } = (await worker.claim()).body;
      expect((await worker.post(claim_id, 'report', failure)).body).toEqual({ status });
    }
    expect(await getStatus(id)).toMatchObject({
      status: 'ERROR',
      code: 'crashed',
      error: 'processing_failed: The process ended.',
    });
  });

  it('ends in ERROR once its third worker has died, though none asks again', async () => {
    const [id, given] = [await worker.submit(), await worker.submit({ to_format: 'png' })];
    for (const attempt of [1, 2, 3]) {
      const { claim_id } = (await worker.claim()).body;
      expect(claim_id).toBe(`${id}.${attempt}`);
      expect(await endOverdueJobs(api.ctx)).toBe(0);
      await worker.endLease(id);
      if (attempt < 3) expect(await endOverdueJobs(api.ctx)).toBe(0);
    }
    expect(await endOverdueJobs(api.ctx)).toBe(1);
    expect(await getStatus(id)).toMatchObject({ status: 'ERROR', code: 'interrupted' });
    expect(await worker.post(`${id}.3`, 'report', DONE)).toMatchObject({ status: 409 });
    expect(await getStatus(given)).toMatchObject({ status: 'QUEUED' });
  });

  it('counts its attempts without those that were given back', async () => {
    const id = await worker.submit();
    const giveBack = async () => {
      const { claim_id, attempt } = (await worker.claim()).body;
      await worker.giveBack(claim_id);
      return attempt;
    };
    expect([await giveBack(), await giveBack(), await giveBack()]).toEqual([1, 1, 1]);
    expect((await worker.claim()).body).toMatchObject({ claim_id: `${id}.4`, attempt: 1 });
    expect(await listRunning(api.ctx.db, 5)).toMatchObject([{ id, attempt: 1 }]);
    await worker.endLease(id);
    expect((await worker.claim()).body).toMatchObject({ claim_id: `${id}.5`, attempt: 2 });
    expect(await listRunning(api.ctx.db, 5)).toMatchObject([{ id, attempt: 2 }]);
  });

  it('is FAILED by its input as its worker says', async () => {
    const id = await worker.submit();
    const { claim_id } = (await worker.claim()).body;
    const failure = { outcome: 'failed', position: 0, code: 'unprocessable', message: 'image_url: is torn.' };
    expect((await worker.post(claim_id, 'report', { ...failure, field: 'image_url' })).body).toEqual({
      status: 'FAILED',
    });
    expect(await getStatus(id)).toMatchObject({
      error: 'image_url: is torn.',
      field: 'image_url',
      receipt: null,
    });
  });

  it('waits for a worker until its deadline, and no longer', async () => {
    const [early, late] = [await worker.submit(), await worker.submit()];
    for (const id of [early, late]) await worker.makeOlder(id, 7);
    const { claim_id } = (await worker.claim()).body;
    expect(claim_id).toBeUndefined();
    await endOverdueJobs(api.ctx);
    for (const id of [early, late]) {
      expect(await getStatus(id)).toMatchObject({
        status: 'ERROR',
        code: 'unavailable',
        error: expect.stringContaining('No worker of this account'),
      });
    }
  });

  it('is not held for ever by its worker', async () => {
    const [young, old] = [await worker.submit(), await worker.submit()];
    const claims = [await worker.claim(), await worker.claim()];
    await worker.makeOlder(young, 1.9 * 24);
    await worker.makeOlder(old, 2.1 * 24);
    await endOverdueJobs(api.ctx);
    expect(await getStatus(young)).toMatchObject({ status: 'PROCESSING' });
    expect(await getStatus(old)).toMatchObject({ status: 'ERROR', code: 'timeout' });
    expect(await worker.post(claims[1]?.body.claim_id, 'progress', { progress: 1 })).toMatchObject({
      status: 409,
    });
  });

  it('tells its worker that it was canceled, which counts as no failure', async () => {
    const id = await worker.submit();
    const { claim_id } = (await worker.claim()).body;
    await api.call('DELETE', `/api/v2/requests/${id}`, { headers: worker.key });
    expect(await worker.post(claim_id, 'progress', { progress: 0.5 })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('was canceled') },
    });
    expect(await worker.post(claim_id, 'report', DONE)).toMatchObject({ status: 409 });
    expect(await api.ctx.db.select().from(schema.failureBudgets)).toEqual([]);
  });
});

describe('a test key', () => {
  it('never leaves its jobs to self-hosted workers', async () => {
    const sandbox = await startSandbox(api);
    const request = { image_url: api.imageUrl, to_format: 'webp', run_on: 'own' };
    const { request_id } = (await sandbox.post('/media-tools/v1/image-convert', request)).body;
    expect((await sandbox.get(`/v2/requests/status/${request_id}`)).body).toMatchObject({
      run_on: 'service',
    });
    const refused = await sandbox.post('/v2/worker/claims', { wait_seconds: 0 });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await worker.claim()).toMatchObject({ status: 204 });
  });
});

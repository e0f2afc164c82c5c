import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isTerminal } from '../../../models/core/operation/job.ts';
import { schema } from '../../../server/base/database/db.ts';
import { readBalance } from '../../../server/money/wallet/index.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/service/api.ts';

const KEY = { 'idempotency-key': 'cut-out-7' };
let api: TestApi;
afterEach(() => api.close());

const body = () => ({ image_url: `${api.files.url}/subject.png` });
const jobs = () => api.ctx.db.select().from(schema.jobs);
const accepted = () => expect.poll(async () => (await jobs()).length).toBe(1);

async function expectOneCharge(): Promise<void> {
  expect(await jobs()).toHaveLength(1);
  expect(await readBalance(api.ctx.db, api.accountId)).toMatchObject({ balance: 990_000n, held: 0n });
}

describe('POST /v1/remove-bg after its time limit', () => {
  let late: ApiResponse;
  beforeEach(async () => {
    api = await startApi({ SYNC_TIMEOUT_SECONDS: '0.3' });
    late = await api.removeBg(body(), KEY);
  });

  it('returns 202; the job continues, and a repeated request replays the 202', async () => {
    expect(late.status).toBe(202);
    const id: string = late.body.request_id;
    expect(late.body).toEqual({
      request_id: expect.stringMatching(/^remove-bg_/),
      status: 'QUEUED',
      polling_url: `http://localhost:3000/api/v2/requests/status/${id}`,
    });
    await api.startRunner();
    await expect.poll(async () => isTerminal((await api.status(id)).body.status)).toBe(true);
    expect((await api.status(id)).body).toMatchObject({
      status: 'COMPLETED',
      output: { result: { status: 'success', original_size: '160x120' } },
    });
    expect(await api.removeBg(body(), KEY)).toMatchObject({ status: 202, body: late.body });
    await expectOneCharge();
  });
});

describe('POST /v1/remove-bg while its job runs', () => {
  beforeEach(async () => {
    api = await startApi();
  });

  it('returns 202 at once to a client that prefers to poll', async () => {
    const response = await api.removeBg(body(), { ...KEY, prefer: 'wait=5, Respond-Async' });
    expect(response).toMatchObject({ status: 202, body: { status: 'QUEUED' } });
    expect(await api.removeBg(body(), KEY)).toMatchObject({ status: 202, body: response.body });
  });

  it('keeps its job when the client disconnects: a repeated request waits for that job', {
    tags: ['long'],
  }, async () => {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${api.apiKey}`, ...KEY };
    const first = api.call('POST', '/api/v1/remove-bg', { body: body(), headers, signal: leaving.signal });
    await accepted();
    leaving.abort();
    await first;
    const again = api.removeBg(body(), KEY);
    await api.startRunner();
    expect(await again).toMatchObject({ status: 200, body: { status: 'success' } });
    expect((await again).headers.get('idempotent-replayed')).toBe('true');
    await expectOneCharge();
  });

  it('returns 409 for a second request under its Idempotency-Key, and replays the response afterwards', async () => {
    const first = api.removeBg(body(), KEY);
    await accepted();
    expect((await api.removeBg(body(), KEY)).status).toBe(409);
    await api.startRunner();
    expect((await first).status).toBe(200);
    expect(await api.removeBg(body(), KEY)).toMatchObject({ status: 200, body: (await first).body });
    await expectOneCharge();
  });

  it('remains one job when its process dies before storing the response', { tags: ['long'] }, async () => {
    const first = api.removeBg(body(), KEY);
    await accepted();
    await api.startRunner();
    const response = await first;
    await api.ctx.db.update(schema.idempotencyKeys).set({ responseStatus: null, responseBody: null });
    expect(await api.removeBg(body(), KEY)).toMatchObject({ status: 200, body: response.body });
    await api.ctx.db.update(schema.idempotencyKeys).set({ lockedUntil: new Date(0) });
    expect(await api.removeBg(body(), KEY)).toMatchObject({ status: 200, body: response.body });
    await expectOneCharge();
  });
});

it('POST /v1/remove-bg returns 202 at once when the process is shutting down', async () => {
  api = await startApi();
  const stopping = new AbortController();
  Object.assign(api.ctx, { stopping: stopping.signal });
  const response = api.removeBg(body());
  await accepted();
  stopping.abort();
  expect((await response).status).toBe(202);
});

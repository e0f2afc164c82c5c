import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import { getProcessLimits } from '../../../server/api/transport/process-limits.ts';
import { claimJob, failJob } from '../../../server/jobs/index.ts';
import { OPERATIONS } from '../../support/operations/test-operations.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  const offer = {
    operations: OPERATIONS,
    module: new URL('../../support/operations/test-operations.ts', import.meta.url),
  };
  // One request may wait, and another one be in progress.
  api = await startApi({ ACCOUNT_REQUESTS_MAX: '2' }, '1', offer);
});
afterAll(() => api.close());

const submit = async (): Promise<string> =>
  (await api.post('/test', { file_url: api.imageUrl, behaviour: 'copy' })).body.request_id;

async function ask(id: string, prefer: string, signal: AbortSignal | null = null) {
  const url = new URL(`/api/v2/requests/status/${id}`, api.ctx.env.PUBLIC_URL);
  const headers = { authorization: `Bearer ${api.apiKey}`, prefer };
  const response = await handleApi(api.ctx, new Request(url, { headers, signal }));
  return await response.json();
}

/** Waits until a request of the account waits for a job. */
async function untilWaiting(): Promise<void> {
  const { waits } = getProcessLimits(api.ctx.env);
  await vi.waitFor(() => {
    const place = waits.tryAcquire(api.accountId, 1);
    place?.release();
    expect(place).toBeUndefined();
  });
}

async function fail(id: string): Promise<void> {
  const attempt = await claimJob(api.ctx.db, id);
  if (!attempt) throw new Error('the job has ended');
  await failJob(api.ctx, attempt, { status: 'FAILED', message: 'damaged' });
}

it('holds the state of a job until it has ended, for who prefers to wait', async () => {
  const id = await submit();
  const asked = ask(id, 'wait=600');
  await untilWaiting();
  await fail(id);
  expect(await asked).toMatchObject({ request_id: id, status: 'FAILED', error: 'damaged' });
  expect(await ask(id, 'wait=600')).toMatchObject({ status: 'FAILED' });
});

it('returns the state so far when the time is over', async () => {
  expect(await ask(await submit(), 'wait=1')).toMatchObject({ status: 'QUEUED' });
});

it.each(['wait', 'wait=soon', 'wait=-5', 'wait=1.5', 'wait=0', 'respond-async', 'waits=600'])(
  'returns the state at once with Prefer: %s',
  async (prefer) => {
    expect(await ask(await submit(), prefer)).toMatchObject({ status: 'QUEUED' });
  },
);

it('returns the state at once to an account whose waiting requests are too many', async () => {
  const id = await submit();
  const first = ask(id, 'wait=600');
  await untilWaiting();
  expect(await ask(id, 'wait=600')).toMatchObject({ status: 'QUEUED' });
  await fail(id);
  expect(await first).toMatchObject({ status: 'FAILED' });
});

it('stops to wait for a client that has left', async () => {
  const leaving = new AbortController();
  const left = ask(await submit(), 'wait=600', leaving.signal);
  await untilWaiting();
  leaving.abort();
  expect(await left).toMatchObject({ status: 'QUEUED' });
  expect(getProcessLimits(api.ctx.env).waits.tryAcquire(api.accountId, 1)).toBeDefined();
});

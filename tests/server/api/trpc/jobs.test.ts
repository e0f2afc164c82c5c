import { randomUUID } from 'node:crypto';
import { text as getText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerCsv } from '../../../../server/api/account/export-account.ts';
import { claimJob, failJob } from '../../../../server/jobs/index.ts';
import { deleteExpiredData } from '../../../../server/jobs/runner/create-scheduled-tasks.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard, submitConversion } from '../../../support/service/dashboard.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ EMBEDDED_DATABASE: '1', RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

/**
 * Converts an upload to AVIF, and ends the job while its input is still stored, as while the store of files does not
 * response.
 * @returns id of the job
 */
async function endConversionOfUpload(
  call: Awaited<ReturnType<typeof openDashboard>>['call'],
): Promise<string> {
  const { apiKey } = await call.keys.create({ name: 'uploads' });
  const headers = { 'ocp-apim-subscription-key': apiKey };
  const bytes = new Uint8Array(await (await fetch(api.imageUrl)).arrayBuffer());
  const options = { headers, body: bytes };
  const { body: upload } = await api.call('POST', '/api/uploads?name=otter.png', options);
  const request = { image_url: upload.upload_url, to_format: 'avif', result_ttl_hours: 2 };
  const { body } = await api.convert(request, headers);
  const id: string = body.request_id;
  const attempt = await claimJob(api.ctx.db, id);
  const failure = { status: 'FAILED', message: 'canceled' } as const;
  expect(attempt && (await failJob(api.ctx, attempt, failure))).toBeTruthy();
  return id;
}

describe('uploads and tokens', () => {
  test('are listed with what they are for, and end from the dashboard', async () => {
    const { call } = await openDashboard(api, 'tokens@example.com');
    const { apiKey } = await call.keys.create({ name: 'shop' });
    const headers = { authorization: `Bearer ${apiKey}` };
    const send = (path: string, body: unknown) => api.call('POST', `/api${path}`, { headers, body });
    await send('/uploads?name=otter.png', new Uint8Array(9));
    const limits = { max_usd: '0.50', expires_in_seconds: 600, operations: ['remove-bg'] };
    const { token } = (await send('/v2/tokens', limits)).body;
    const [upload] = (await call.jobs.uploads({})).uploads;
    expect(upload).toMatchObject({ name: 'otter.png', bytes: 9, isComplete: true });
    const [listed] = await call.keys.tokens();
    const shown = { keyName: 'shop', operations: ['remove-bg'], maxUsd: '0.50', spentUsd: '0.00' };
    expect(listed).toMatchObject(shown);
    await call.keys.endToken({ tokenId: listed?.tokenId ?? '' });
    await call.jobs.deleteUpload({ uploadId: upload?.uploadId ?? '' });
    expect([await call.keys.tokens(), (await call.jobs.uploads({})).uploads]).toEqual([[], []]);
    const asked = await api.call('GET', '/api/v2/wallet', { headers: { authorization: `Bearer ${token}` } });
    expect(asked.status).toBe(401);
  });
});

test('workers are listed with when each was seen and what it runs', async () => {
  const { call } = await openDashboard(api, 'workers@example.com');
  const { apiKey } = await call.keys.create({ name: 'studio' });
  const headers = { 'ocp-apim-subscription-key': apiKey };
  const body = { image_url: api.imageUrl, to_format: 'webp', run_on: 'own' };
  const { request_id: id } = (await api.convert(body, headers)).body;
  const claim = { worker: 'studio-9', wait_seconds: 0 };
  await api.call('POST', '/api/v2/worker/claims', { headers, body: claim });
  const seen = { name: 'studio-9', last_seen_at: expect.any(String) };
  expect(await call.jobs.workers()).toEqual([{ ...seen, jobs: [id] }]);
});

describe('a job', () => {
  test('is listed with its state and price, and cancelled with its hold released', async () => {
    const { call } = await openDashboard(api, 'cancel@example.com');
    const id = await submitConversion(api, call);
    expect((await call.jobs.list({})).jobs).toMatchObject([{ id, status: 'QUEUED', heldUsd: '0.002' }]);
    expect(await call.wallet.summary()).toMatchObject({ heldUsd: '0.002', holds: 1 });
    expect(await call.jobs.get({ id })).toMatchObject({ key: { name: 'jobs' }, deliveries: [] });
    await call.jobs.cancel({ id });
    expect((await call.jobs.list({ statuses: ['FAILED'] })).jobs).toMatchObject([{ id, error: 'canceled' }]);
    expect(await call.wallet.summary()).toMatchObject({ heldUsd: '0.00', holds: 0, balanceUsd: '5.00' });
    await expect(call.jobs.cancel({ id })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('is charged in the usage of its day and key once it has completed', async () => {
    const { call, accountId } = await openDashboard(api, 'usage@example.com');
    const id = await submitConversion(api, call);
    const runner = await api.startRunner();
    try {
      await expect.poll(async () => (await call.jobs.get({ id })).status).toBe('COMPLETED');
    } finally {
      await runner.stop();
    }
    const today = new Date().toISOString().slice(0, 10);
    const rows = await call.usage.spending({ from: today, to: today });
    expect(rows).toMatchObject([
      { day: today, modelId: 'media-convert-image', jobs: 1, chargedMicroUsd: '2000' },
    ]);
    expect(rows[0]?.key).toMatch(/^jobs \(mk_/);
    const { files } = await call.jobs.get({ id });
    expect(files).toHaveLength(1);
    expect(await call.jobs.previews({ ids: [id] })).toEqual({
      [id]: { name: expect.stringMatching(/\.\w+$/), url: expect.stringContaining('/cdn/') },
    });
    const { call: stranger } = await openDashboard(api, 'no-previews@example.com');
    expect(await stranger.jobs.previews({ ids: [id] })).toEqual({});
    const [entry] = (await call.wallet.ledger({ only: 'charges' })).entries;
    expect(entry).toMatchObject({ reference: id, amountUsd: '-0.002', kind: 'capture' });
    const operation = 'media-convert-image';
    expect((await call.wallet.ledger({ operation })).entries).toMatchObject([
      { reference: id, balanceUsd: null },
    ]);
    expect((await call.wallet.ledger({ operation: 'upscale' })).entries).toEqual([]);
    const csv = await getText(ledgerCsv(api.ctx, accountId, { category: operation }));
    expect(csv.trim().split('\r\n').slice(1)).toEqual([
      expect.stringMatching(`,capture,${id},${operation},-0.002,,,$`),
    ]);
    expect(await getText(ledgerCsv(api.ctx, accountId, { category: 'upscale' }))).toMatch(/^time.*\r\n$/);
  });

  test('runs again from its URL, once for each press, at the price that was shown', async () => {
    const { call } = await openDashboard(api, 'again@example.com');
    const id = await submitConversion(api, call);
    expect((await call.jobs.get({ id })).rerun).toBeNull();
    await call.jobs.cancel({ id });
    await api.ctx.db.$client`update files set deleted_at = now() where job_id = ${id}`;
    expect((await call.jobs.get({ id })).rerun).toEqual({ priceUsd: '0.002' });
    const press = { id, priceUsd: '0.002', idempotencyKey: randomUUID() };
    await expect(call.jobs.runAgain({ ...press, priceUsd: '0.001' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const again = { ...press, idempotencyKey: randomUUID() };
    const twice = await Promise.allSettled([call.jobs.runAgain(again), call.jobs.runAgain(again)]);
    const made = await call.jobs.runAgain(again);
    // The other one waits, or is told that the first is still running.
    const fulfilled = twice.filter(({ status }) => status === 'fulfilled');
    expect(fulfilled[0]).toMatchObject({ value: made });
    expect(fulfilled.at(-1)).toMatchObject({ value: made });
    const { jobs } = await call.jobs.list({});
    expect(jobs.map((job) => job.id)).toEqual([made.id, id]);
    const [before, after] = await Promise.all([call.jobs.get({ id }), call.jobs.get({ id: made.id })]);
    expect(after).toMatchObject({ status: 'QUEUED', params: before.params, key: null, heldUsd: '0.002' });
  });

  test('runs again from the stored input while that is there, and says how to go on once it is not', async () => {
    const { call, accountId } = await openDashboard(api, 'again-upload@example.com');
    const id = await endConversionOfUpload(call);
    const again = () => call.jobs.runAgain({ id, priceUsd: '0.002', idempotencyKey: randomUUID() });
    const made = await again();
    expect(JSON.parse((await call.jobs.get({ id: made.id })).params)).toMatchObject({ to_format: 'avif' });
    // Its result has the name and the lifetime that the first one would have had.
    expect(
      await api.ctx.db
        .$client`select file_name, result_ttl_hours from jobs join files on job_id = jobs.id where jobs.id = ${made.id}`,
    ).toEqual([{ file_name: 'otter.png', result_ttl_hours: 2 }]);
    await deleteExpiredData(api.ctx);
    const { rerun } = await call.jobs.get({ id });
    expect(rerun).toMatchObject({
      refusal: expect.stringMatching(/input was deleted.*POST \/api\/media-tools/),
    });
    await expect(again()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await call.jobs.list({})).jobs).toHaveLength(2);
    const left = await api.ctx.db
      .$client`select * from uploads where account_id = ${accountId} and expires_at > now()`;
    // The user's own.
    expect(left).toHaveLength(1);
  });

  test('is found by its whole id, reference or metadata, and keeps its labels when it runs again', async () => {
    const { call } = await openDashboard(api, 'labels@example.com');
    const { apiKey } = await call.keys.create({ name: 'labels' });
    const labels = { reference: 'order 17', metadata: { customer: 'ACME' } };
    const body = { image_url: api.imageUrl, to_format: 'avif', ...labels };
    const id: string = (await api.convert(body, { 'ocp-apim-subscription-key': apiKey })).body.request_id;
    await call.jobs.cancel({ id });
    const again = await call.jobs.runAgain({ id, priceUsd: '0.002', idempotencyKey: randomUUID() });
    expect(await call.jobs.get({ id: again.id })).toMatchObject(labels);
    const found = async (search: string) => (await call.jobs.list({ search })).jobs.map((job) => job.id);
    expect(await found(id)).toEqual([id]);
    expect(await found('order 17')).toEqual([again.id, id]);
    expect(await found('order 1')).toEqual([]);
    expect(await found('customer=ACME')).toEqual([again.id, id]);
    expect(await found('customer=ACM')).toEqual([]);
    const getDay = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
    const between = async (from: string, to: string) => (await call.jobs.list({ from, to })).jobs.length;
    expect(await between(getDay(-1), getDay(1))).toBe(2);
    expect(await between(getDay(-2), getDay(-1))).toBe(0);
    // The database knows no year 0.
    await expect(between('0000-01-01T00:00:00Z', getDay(1))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(call.usage.spending({ from: '0000-01-01', to: '2026-01-01' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('leaves no copy of its input when it is refused', async () => {
    const { call, accountId } = await openDashboard(api, 'again-refused@example.com');
    const id = await endConversionOfUpload(call);
    await api.ctx.db.$client`update jobs set webhook_url = 'http://192.168.0.1/' where id = ${id}`;
    const again = call.jobs.runAgain({ id, priceUsd: '0.002', idempotencyKey: randomUUID() });
    await expect(again).rejects.toMatchObject({ message: expect.stringContaining('X-Webhook-URL') });
    const left = await api.ctx.db
      .$client`select * from uploads where account_id = ${accountId} and expires_at > now()`;
    // The user's own.
    expect(left).toHaveLength(1);
  });

  test('does not run again on another file than before', async () => {
    const { call } = await openDashboard(api, 'again-changed@example.com');
    const id = await submitConversion(api, call);
    await call.jobs.cancel({ id });
    await api.ctx.db
      .$client`update files set deleted_at = now(), sha256 = ${Buffer.alloc(32)} where job_id = ${id}`;
    await expect(
      call.jobs.runAgain({ id, priceUsd: '0.002', idempotencyKey: randomUUID() }),
    ).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('has changed') });
    expect(await call.wallet.summary()).toMatchObject({ heldUsd: '0.00' });
  });

  test('tells a page that listens at once', async () => {
    const { call } = await openDashboard(api, 'live@example.com');
    const states = (await call.live.states())[Symbol.asyncIterator]();
    const first = (await states.next()).value?.state;
    await submitConversion(api, call);
    const second = (await states.next()).value?.state;
    expect(second).not.toBe(first);
    await states.return?.(undefined);
    // A page that connects later compares with what it knew before.
    const later = (await call.live.states())[Symbol.asyncIterator]();
    expect(await later.next()).toMatchObject({ value: { state: second } });
    await later.return?.(undefined);
  });
});

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatWarning } from '../../../models/runtime/run-warnings.ts';
import { deleteAccount, exportAccount, ledgerCsv } from '../../../server/account-data/index.ts';
import { schema } from '../../../server/base/database/db.ts';
import { createUpload } from '../../../server/http/uploads/create-upload.ts';
import { cancelJob, claimJob, failJob, submitJob } from '../../../server/jobs/index.ts';
import { authenticateKey, issueKey } from '../../../server/keys/index.ts';
import { deleteExpiredData } from '../../../server/runner/schedule/delete-expired-data.ts';
import { topUp } from '../../../server/wallet/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { openDashboard } from '../../support/service/dashboard.ts';
import { TestBrowser } from '../../support/service/sign-in.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ EMBEDDED_DATABASE: '1', RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Submits a job by a new key of the account. */
async function submit(call: Awaited<ReturnType<typeof openDashboard>>['call']): Promise<string> {
  const { apiKey } = await call.keys.create({ name: 'jobs' });
  const { body } = await api.call('POST', '/api/media-tools/v1/image-convert', {
    body: { image_url: api.imageUrl, to_format: 'webp' },
    headers: { 'ocp-apim-subscription-key': apiKey },
  });
  return body.request_id;
}

/** Ends a job whose input is still stored, as while the store of files does not answer. */
async function endWithInput(ctx: TestApi['ctx'], id: string): Promise<void> {
  const attempt = await claimJob(ctx.db, id);
  expect(attempt && (await failJob(ctx, attempt, { status: 'FAILED', message: 'canceled' }))).toBeTruthy();
}

describe('the wallet', () => {
  test('credits a test top-up once, however often the press is repeated', async () => {
    const { call } = await openDashboard(api, 'top-up@example.com');
    const press = { amountUsd: '20', idempotencyKey: randomUUID() };
    await call.wallet.testTopUp(press);
    await call.wallet.testTopUp(press);
    expect(await call.wallet.summary()).toMatchObject({
      balanceUsd: '25.00',
      availableUsd: '25.00',
      topUp: 'test',
    });
  });

  test('gives no test top-up where the database is not this machine’s own', async () => {
    const shared = await startApi();
    try {
      const { call } = await openDashboard(shared, 'shared@example.com');
      expect((await call.wallet.summary()).topUp).toBe('none');
      const press = { amountUsd: '20', idempotencyKey: randomUUID() };
      await expect(call.wallet.testTopUp(press)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    } finally {
      await shared.close();
    }
  });

  test('lists entries page by page, each with the balance after it, and filters them', async () => {
    const { call } = await openDashboard(api, 'pages@example.com');
    for (let cents = 1; cents <= 6; cents++) {
      await call.wallet.testTopUp({ amountUsd: `0.0${cents}`, idempotencyKey: randomUUID() });
    }
    const first = await call.wallet.ledger({ limit: 4 });
    expect(first.entries.map(({ amountUsd, balanceUsd }) => [amountUsd, balanceUsd])).toEqual([
      ['0.06', '5.21'],
      ['0.05', '5.15'],
      ['0.04', '5.10'],
      ['0.03', '5.06'],
    ]);
    const second = await call.wallet.ledger({ limit: 4, cursor: first.next });
    expect(second.entries.map(({ balanceUsd }) => balanceUsd)).toEqual(['5.03', '5.01', '5.00']);
    expect(second.next).toBeNull();
    expect((await call.wallet.ledger({ only: 'charges' })).entries).toEqual([]);
    await expect(call.wallet.ledger({ cursor: 'no cursor' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('goes whole into a CSV file that spreadsheets read as text', async () => {
    const { call, accountId } = await openDashboard(api, 'csv@example.com');
    await call.wallet.testTopUp({ amountUsd: '1', idempotencyKey: randomUUID() });
    const lines = (await textOf(ledgerCsv(api.ctx, accountId))).trim().split('\r\n');
    expect(lines[0]).toBe('time,kind,reference,operation,amount_usd,balance_usd,job_reference,job_metadata');
    expect(lines[1]).toMatch(/^\d{4}-.*Z,top_up,test top-up,,1\.00,6\.00,,$/);
    expect(lines).toHaveLength(3);
  });
});

describe('a job', () => {
  test('is listed with its state and price, and cancelled with its hold released', async () => {
    const { call } = await openDashboard(api, 'cancel@example.com');
    const id = await submit(call);
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
    const id = await submit(call);
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
    expect(await call.jobs.previews({ ids: [id] })).toEqual({ [id]: expect.stringContaining('/cdn/') });
    const { call: stranger } = await openDashboard(api, 'no-previews@example.com');
    expect(await stranger.jobs.previews({ ids: [id] })).toEqual({});
    const [entry] = (await call.wallet.ledger({ only: 'charges' })).entries;
    expect(entry).toMatchObject({ reference: id, amountUsd: '-0.002', kind: 'capture' });
    const operation = 'media-convert-image';
    expect((await call.wallet.ledger({ operation })).entries).toMatchObject([
      { reference: id, balanceUsd: null },
    ]);
    expect((await call.wallet.ledger({ operation: 'upscale' })).entries).toEqual([]);
    const csv = await textOf(ledgerCsv(api.ctx, accountId, { category: operation }));
    expect(csv.trim().split('\r\n').slice(1)).toEqual([
      expect.stringMatching(`,capture,${id},${operation},-0.002,,,$`),
    ]);
    expect(await textOf(ledgerCsv(api.ctx, accountId, { category: 'upscale' }))).toMatch(/^time.*\r\n$/);
  });

  test('runs again from its URL, once for each press, at the price that was shown', async () => {
    const { call } = await openDashboard(api, 'again@example.com');
    const id = await submit(call);
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
    const { apiKey } = await call.keys.create({ name: 'uploads' });
    const headers = { 'ocp-apim-subscription-key': apiKey };
    const bytes = new Uint8Array(await (await fetch(api.imageUrl)).arrayBuffer());
    const { body: upload } = await api.upload(bytes, headers);
    const { body } = await api.convert({ image_url: upload.upload_url, to_format: 'avif' }, headers);
    const id: string = body.request_id;
    await endWithInput(api.ctx, id);
    const again = () => call.jobs.runAgain({ id, priceUsd: '0.002', idempotencyKey: randomUUID() });
    const made = await again();
    expect(JSON.parse((await call.jobs.get({ id: made.id })).params)).toMatchObject({ to_format: 'avif' });
    await deleteExpiredData(api.ctx);
    const { rerun } = await call.jobs.get({ id });
    expect(rerun).toMatchObject({
      refusal: expect.stringMatching(/input was deleted.*POST \/api\/media-tools/),
    });
    await expect(again()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await call.jobs.list({})).jobs).toHaveLength(2);
    const left = await api.ctx.db.$client`select * from uploads where account_id = ${accountId}`;
    expect(left).toHaveLength(0);
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
    const dayOf = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
    const between = async (from: string, to: string) => (await call.jobs.list({ from, to })).jobs.length;
    expect(await between(dayOf(-1), dayOf(1))).toBe(2);
    expect(await between(dayOf(-2), dayOf(-1))).toBe(0);
    // The database knows no year 0.
    await expect(between('0000-01-01T00:00:00Z', dayOf(1))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(call.usage.spending({ from: '0000-01-01', to: '2026-01-01' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('leaves no copy of its input when it is refused', async () => {
    const { call, accountId } = await openDashboard(api, 'again-refused@example.com');
    const { apiKey } = await call.keys.create({ name: 'uploads' });
    const headers = { 'ocp-apim-subscription-key': apiKey };
    const bytes = new Uint8Array(await (await fetch(api.imageUrl)).arrayBuffer());
    const { body: upload } = await api.upload(bytes, headers);
    const { body } = await api.convert({ image_url: upload.upload_url, to_format: 'avif' }, headers);
    const id: string = body.request_id;
    await endWithInput(api.ctx, id);
    await api.ctx.db.$client`update jobs set webhook_url = 'http://192.168.0.1/' where id = ${id}`;
    const again = call.jobs.runAgain({ id, priceUsd: '0.002', idempotencyKey: randomUUID() });
    await expect(again).rejects.toMatchObject({ message: expect.stringContaining('X-Webhook-URL') });
    const left = await api.ctx.db.$client`select * from uploads where account_id = ${accountId}`;
    expect(left).toHaveLength(0);
  });

  test('does not run again on another file than before', async () => {
    const { call } = await openDashboard(api, 'again-changed@example.com');
    const id = await submit(call);
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
    await submit(call);
    const second = (await states.next()).value?.state;
    expect(second).not.toBe(first);
    await states.return?.(undefined);
    // A page that connects later compares with what it knew before.
    const later = (await call.live.states())[Symbol.asyncIterator]();
    expect(await later.next()).toMatchObject({ value: { state: second } });
    await later.return?.(undefined);
  });
});

describe('a key', () => {
  test('is shown once, tells when it was last used, and is replaced with time to change over', async () => {
    const { call } = await openDashboard(api, 'keys-page@example.com');
    const made = await call.keys.create({
      name: 'shop',
      operations: ['media-convert-image'],
      monthlyCapUsd: '2.5',
    });
    const secret = made.apiKey.slice(11);
    const [listed] = await call.keys.list();
    expect(listed).toMatchObject({ name: 'shop', state: 'active', monthlyCapUsd: '2.50', lastUsedAt: null });
    expect(JSON.stringify(listed)).not.toContain(secret);
    await authenticateKey(api.ctx.db, made.apiKey);
    expect((await call.keys.list())[0]?.lastUsedAt).not.toBeNull();
    const next = await call.keys.rotate({ keyId: made.keyId, graceHours: 1 });
    const [fresh, old] = await call.keys.list();
    expect(fresh).toMatchObject({ keyId: next.keyId, name: 'shop', monthlyCapUsd: '2.50' });
    expect(old?.expiresAt).not.toBeNull();
    await authenticateKey(api.ctx.db, made.apiKey);
    await authenticateKey(api.ctx.db, next.apiKey);
    await call.keys.revoke({ keyId: made.keyId });
    await expect(authenticateKey(api.ctx.db, made.apiKey)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(call.keys.rotate({ keyId: made.keyId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('a rotated webhook secret signs beside the one before', async () => {
  const { call } = await openDashboard(api, 'secrets@example.com');
  const [before] = await call.webhooks.secrets();
  const made = await call.webhooks.rotateSecret({ graceHours: 1 });
  expect(await call.webhooks.secrets()).toEqual([made, before]);
  expect(await call.webhooks.rotateSecret({ graceHours: 0 })).toBe((await call.webhooks.secrets())[0]);
});

test('a test event is queued for a reachable address only', async () => {
  const { call } = await openDashboard(api, 'test-event@example.com');
  await call.webhooks.sendTest({ url: 'http://127.0.0.1:9/hook' });
  const { deliveries } = await call.webhooks.deliveries({});
  expect(deliveries).toMatchObject([{ url: 'http://127.0.0.1:9/hook', state: 'pending' }]);
  expect(JSON.parse(deliveries[0]?.body ?? '')).toMatchObject({ test: true });
  await expect(call.webhooks.sendTest({ url: 'http://10.0.0.1/' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

describe('the data of an account', () => {
  test('is exported whole, without secrets', async () => {
    const { call, accountId } = await openDashboard(api, 'export@example.com');
    const { apiKey } = await call.keys.create({ name: 'exported' });
    const id = await submit(call);
    const warning = formatWarning('flattened');
    const { db } = api.ctx;
    await db
      .update(schema.jobs)
      .set({ warnings: [warning] })
      .where(eq(schema.jobs.id, id));
    const text = await textOf(exportAccount(api.ctx, accountId));
    const data = JSON.parse(text);
    expect(data).toMatchObject({ users: [{ name: 'Ada' }], balance_usd: '5.00' });
    expect(data.jobs).toMatchObject([{ id, held_usd: '0.002', warnings: [warning.message] }]);
    expect(data.ledger).toHaveLength(1);
    expect(text).not.toContain(apiKey.slice(11));
    expect(text).not.toContain('whsec_');
  });

  test('has every payment and delivery in its export, over many pages', async () => {
    const { accountId } = await openDashboard(api, 'many@example.com');
    const { $client } = api.ctx.db;
    await $client`
      insert into payments (id, account_id, state, due_micro_usd, created_at)
      select ${`pi_${accountId}_`} || n, ${accountId}, 'failed', 0, now() - n * interval '1 hour'
      from generate_series(1, 1203) n`;
    await $client`
      insert into webhook_deliveries (account_id, reference, url, body, state, attempts)
      select ${accountId}, 'job_' || n, 'https://example.com/hook', '{}', 'delivered', 1
      from generate_series(1, 103) n`;
    await $client`
      insert into webhook_delivery_attempts (delivery_id, attempt, duration_ms, response_status)
      select id, 1, 20, 200 from webhook_deliveries where account_id = ${accountId}`;
    const text = await textOf(exportAccount(api.ctx, accountId));
    const { payments, deliveries, ledger } = JSON.parse(text);
    const distinct = (rows: { readonly id: string }[]) => new Set(rows.map(({ id }) => id)).size;
    expect([distinct(payments), distinct(deliveries)]).toEqual([1203, 103]);
    expect(deliveries[0]).toMatchObject({ body: '{}', attempts: [{ responseStatus: 200 }] });
    expect(ledger).toMatchObject([{ amount_usd: '5.00', balance_usd: '5.00' }]);
  });

  test('is deleted for ever, with what its keys could do, but not while a job runs', async () => {
    const { call, accountId } = await openDashboard(api, 'gone@example.com');
    const { apiKey } = await call.keys.create({ name: 'gone' });
    const id = await submit(call);
    await expect(deleteAccount(api.ctx, accountId)).rejects.toMatchObject({ code: 'conflict' });
    await call.jobs.cancel({ id });
    await deleteAccount(api.ctx, accountId);
    await expect(authenticateKey(api.ctx.db, apiKey)).rejects.toMatchObject({ code: 'unauthorized' });
    const rest = JSON.stringify([
      await api.ctx.db.$client`select * from users`,
      await api.ctx.db.$client`select * from accounts`,
      await api.ctx.db.$client`select params, facts from jobs where account_id = ${accountId}`,
    ]);
    expect(rest).not.toContain('-gone@example.com');
    expect(rest).not.toContain('photo.png');
  });
});

describe('the deletion of an account', () => {
  test('refuses a request that had authenticated before, in the transaction that would make its job', async () => {
    const { call, accountId } = await openDashboard(api, 'late@example.com');
    const { apiKey } = await call.keys.create({ name: 'late' });
    let release = () => {};
    let onAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const photo = Buffer.from(await (await fetch(api.imageUrl)).arrayBuffer());
    const slow = createServer(async (_request, response) => {
      onAsked();
      await released;
      response.writeHead(200, { 'content-type': 'image/png' }).end(photo);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const { port } = slow.address() as AddressInfo;
    try {
      const url = `http://127.0.0.1:${port}/photo.png`;
      const headers = { 'ocp-apim-subscription-key': apiKey };
      const late = api.convert({ image_url: url, to_format: 'webp' }, headers);
      await asked;
      await deleteAccount(api.ctx, accountId);
      release();
      expect(await late).toMatchObject({ status: 401, body: { message: 'This account was deleted.' } });
    } finally {
      release();
      slow.closeAllConnections();
      slow.close();
    }
    const { $client } = api.ctx.db;
    expect(await $client`select id from jobs where account_id = ${accountId}`).toHaveLength(0);
    expect(await call.wallet.summary()).toMatchObject({ holds: 0, balanceUsd: '5.00' });
  });

  test('waits for a job that is being accepted, and is then refused', async () => {
    const { accountId } = await openDashboard(api, 'racing@example.com');
    const actor = { accountId, isTest: false, keyId: null, rateId: accountId, operations: null };
    const job = { id: `upscale_${randomUUID()}`, modelId: 'upscale', params: {}, facts: {}, price: 2000n };
    const locks = () => api.ctx.db.$client`select from pg_locks where not granted`;
    let deletion: Promise<unknown> | undefined;
    await submitJob(api.ctx, { ...job, actor, lane: 'long', files: [] }, async () => {
      deletion = deleteAccount(api.ctx, accountId).catch((thrown: unknown) => thrown);
      await expect.poll(async () => (await locks()).length).toBeGreaterThan(0);
    });
    expect(await deletion).toMatchObject({ code: 'conflict' });
    await cancelJob(api.ctx, { accountId, id: job.id });
  });

  test('lets nothing new come from a page that was open', async () => {
    const { call, accountId } = await openDashboard(api, 'open-page@example.com');
    const [{ apiKey }, { keyId }] = await Promise.all([
      call.keys.create({ name: 'before' }),
      call.keys.create({ name: 'rotated' }),
    ]);
    const actor = await authenticateKey(api.ctx.db, apiKey);
    await deleteAccount(api.ctx, accountId);
    const refused = { code: 'UNAUTHORIZED', message: 'This account was deleted.' };
    await expect(call.keys.create({ name: 'after' })).rejects.toMatchObject(refused);
    await expect(call.keys.rotate({ keyId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(call.webhooks.rotateSecret({ graceHours: 0 })).rejects.toMatchObject(refused);
    await expect(call.webhooks.sendTest({ url: 'http://127.0.0.1:9/hook' })).rejects.toMatchObject(refused);
    const request = new Request('http://localhost/api/uploads', { method: 'POST', body: 'bytes' });
    await expect(createUpload(api.ctx, request, actor)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('leaves no file, upload, session, delivery, finding or name behind', async () => {
    const local = await startApi({ EMBEDDED_DATABASE: '1', RATE_LIMIT_BURST: '1000' });
    try {
      const browser = new TestBrowser(local);
      await browser.signUp('Owner@Example.com');
      await browser.signIn('Owner@Example.com');
      const { $client } = local.ctx.db;
      const [user] = await $client`select account_id from users`;
      const accountId: string = user?.account_id;
      await topUp(local.ctx.db, { accountId, amount: 1_000_000n, idempotencyKey: 'x', reference: 'x' });
      const { apiKey } = await issueKey(local.ctx.db, { accountId, name: 'mine' });
      const headers = {
        'ocp-apim-subscription-key': apiKey,
        'x-webhook-url': 'http://127.0.0.1:9/secret-hook',
      };
      const { body } = await local.convert({ image_url: local.imageUrl, to_format: 'webp' }, headers);
      await local.upload(new Uint8Array(10), headers);
      const runner = await local.startRunner();
      await local.ended(body.request_id);
      await runner.stop();
      await deleteAccount(local.ctx, accountId);
      const gone = ['users', 'sessions', 'credentials', 'passkeys', 'webhook_deliveries'];
      const also = ['webhook_delivery_attempts', 'webhook_secrets', 'queue_entries', 'idempotency_keys'];
      for (const table of [...gone, ...also, 'audit_events', 'batch_items']) {
        const owner = table === 'webhook_secrets' ? $client`where account_id = ${accountId}` : $client``;
        expect(await $client`select * from ${$client(table)} ${owner}`, table).toHaveLength(0);
      }
      await $client`update uploads set expires_at = expires_at - interval '11 minutes'`;
      await deleteExpiredData(local.ctx);
      for (const prefix of ['inputs/', 'outputs/']) {
        for await (const key of local.ctx.storage.list(prefix, new Date(Date.now() + 60_000))) {
          expect(key).toBe('nothing is left');
        }
      }
      const kept = ['jobs', 'files', 'accounts', 'api_keys', 'service_secrets', 'transfers', 'verifications'];
      for (const table of kept) {
        const rows = await $client`select ${$client(table)}::text as text from ${$client(table)}`;
        const text = rows.map((row) => row.text).join('\n');
        expect(text, table).not.toMatch(/@Example\.com|secret-hook|photo\.png|mine/i);
        expect(text, table).not.toContain(Buffer.from('owner@example.com').toString('hex'));
      }
    } finally {
      await local.close();
    }
  });
});

describe('with 10,000 jobs and 100,000 entries', { tags: ['long'] }, () => {
  let accountId: string;
  beforeAll(async () => {
    ({ accountId } = await openDashboard(api, 'large@example.com'));
    const { $client } = api.ctx.db;
    await $client`
      insert into jobs (id, account_id, operation_id, params, facts, status, held_micro_usd, charged_micro_usd,
        created_at, error)
      select 'job_' || n, ${accountId}, 'media-convert-image', '{}', '{}',
        (case when n % 10 = 0 then 'FAILED' else 'COMPLETED' end)::job_status, 2000,
        case when n % 10 = 0 then 0 else 2000 end, now() - n * interval '4 minutes',
        case when n % 10 = 0 then 'broken' end
      from generate_series(1, 10000) n`;
    await $client`alter table entries disable trigger user`;
    await $client`alter table transfers disable trigger user`;
    await $client`
      with made as (
        insert into transfers (kind, idempotency_key, reference)
        select 'capture', 'large ' || n, 'job_' || n from generate_series(1, 100000) n returning id)
      insert into entries (transfer_id, ledger_account_id, amount_micro_usd, category)
      select made.id, (select id from ledger_accounts where owner_id = ${accountId}), -1,
        case when random() < 0.999 then 'media-convert-image' else 'upscale' end from made`;
    await $client`alter table entries enable trigger user`;
    await $client`alter table transfers enable trigger user`;
    await $client`analyze`;
  });

  test.each([
    [
      'jobs',
      'jobs_account',
      `select * from jobs where account_id = $1 order by created_at desc nulls last, id desc nulls last limit 26`,
    ],
    [
      'failed jobs',
      'jobs_account_status',
      `select * from jobs where account_id = $1 and status = 'FAILED' order by created_at desc nulls last, id desc nulls last limit 26`,
    ],
    [
      'entries',
      'entries_ledger_account',
      `select * from entries where ledger_account_id = (select id from ledger_accounts where owner_id = $1) order by id desc nulls last limit 26`,
    ],
    [
      'charges of a rare operation',
      'entries_category',
      `select * from entries where ledger_account_id = (select id from ledger_accounts where owner_id = $1) and category = 'upscale' order by id desc nulls last limit 26`,
    ],
    [
      'credits',
      'entries_credits',
      `select * from entries where ledger_account_id = (select id from ledger_accounts where owner_id = $1) and amount_micro_usd > 0 order by id desc nulls last limit 26`,
    ],
  ])('%s come from the index %s', async (_what, index, statement) => {
    const rows = await api.ctx.db.$client.unsafe(`explain ${statement}`, [accountId]);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
  });
});

import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobViewSchema } from '../../../../server/api/job-view-schema.ts';
import { handleCalls } from '../../../../server/api/trpc/handle-calls.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { listActiveSecrets } from '../../../../server/io/webhooks/index.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard } from '../../../support/service/dashboard.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '10000' });
});
afterAll(() => api.close());

test('a call’s body beyond 256 kB is refused before it is read whole', async () => {
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  const response = await handleCalls(
    api.ctx,
    new Request(`${api.ctx.env.PUBLIC_URL}/api/trpc/keys.create`, {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    } as RequestInit),
  );
  expect(response.status).toBe(413);
  expect(sent).toBeLessThan(1_000_000);
});

test('keys.create gives an account at most 100 active keys, and none with a NUL in its name', async () => {
  const { call } = await openDashboard(api, 'keys@example.com');
  await expect(call.keys.create({ name: 'a\0b' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const [first] = await Promise.all(Array.from({ length: 100 }, () => call.keys.create({ name: 'one' })));
  await expect(call.keys.create({ name: 'more' })).rejects.toMatchObject({ code: 'CONFLICT' });
  await call.keys.revoke({ keyId: first?.keyId ?? '' });
  await call.keys.create({ name: 'more' });
});

test('webhooks.rotateSecret leaves two secrets that sign, however often it is called', async () => {
  const { call, accountId } = await openDashboard(api, 'secrets@example.com');
  for (let at = 0; at < 5; at++) await call.webhooks.rotateSecret({ graceHours: 168 });
  expect(await listActiveSecrets(api.ctx.db, accountId)).toHaveLength(2);
});

test('webhooks.resend and webhooks.sendTest are limited, and a list shows 10 attempts of a delivery', async () => {
  const { call, accountId } = await openDashboard(api, 'sender@example.com');
  const [delivery] = await api.ctx.db
    .insert(schema.deliveries)
    .values({ accountId, reference: 'job', url: 'http://127.0.0.1:9/', body: '{}', state: 'failed' })
    .returning();
  const deliveryId = delivery?.id ?? '';
  await api.ctx.db.execute(sql`
    insert into webhook_delivery_attempts (delivery_id, attempt, duration_ms)
    select ${deliveryId}, n, 1 from generate_series(1, 50) n`);
  const { deliveries } = await call.webhooks.deliveries({});
  expect(deliveries[0]?.attempts.map(({ attempt }) => attempt)).toEqual([
    41, 42, 43, 44, 45, 46, 47, 48, 49, 50,
  ]);
  const refusals: string[] = [];
  for (let at = 0; at < 25; at++) {
    await api.ctx.db
      .update(schema.deliveries)
      .set({ state: 'failed' })
      .where(eq(schema.deliveries.id, deliveryId));
    await call.webhooks.resend({ deliveryId }).catch(({ code }) => refusals.push(code));
  }
  expect(refusals).toContain('TOO_MANY_REQUESTS');
});

test('usage.spending is limited like the API’s report', async () => {
  const { call } = await openDashboard(api, 'reader@example.com');
  const calls = Array.from({ length: 20 }, () =>
    call.usage.spending({ from: '2026-01-01', to: '2026-12-31' }),
  );
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(5);
});

test('wallet.testTopUp is refused where others reach the service', async () => {
  const env = { ...api.ctx.env, EMBEDDED_DATABASE: true, PUBLIC_URL: 'https://darkroom.example.com' };
  const { call } = await openDashboard({ ctx: { ...api.ctx, env } }, 'stranger@example.com');
  const order = { amountUsd: '1000', idempotencyKey: crypto.randomUUID() };
  await expect(call.wallet.testTopUp(order)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('account.delete is no way to guess a password', async () => {
  const { call } = await openDashboard(api, 'guessed@example.com');
  const { email } = await call.account.me();
  const guesses = Array.from({ length: 40 }, () => call.account.delete({ email, password: 'a wrong guess' }));
  const outcomes = await Promise.allSettled(guesses);
  const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done'));
  expect(codes.filter((code) => code === 'BAD_REQUEST').length).toBeLessThanOrEqual(10);
  expect(codes).toContain('TOO_MANY_REQUESTS');
});

test('webhooks.sendTest sends a whole job, of a test', async () => {
  const { call } = await openDashboard(api, 'receiver@example.com');
  await call.webhooks.sendTest({ url: 'http://127.0.0.1:9/hook' });
  const { deliveries } = await call.webhooks.deliveries({});
  const job = JSON.parse(deliveries[0]?.body ?? '');
  expect(jobViewSchema.strict().parse(job)).toEqual(job);
  expect(job).toMatchObject({ status: 'COMPLETED', test: true });
});

/** Cursors of the right form that no list gave. */
const CRAFTED = [
  ['2026-01-01T00:00:00.000Z', 'x'],
  ['2026-01-01T00:00:00.000Z', '9'.repeat(30)],
  ['2026-01-01T00:00:00.000Z', '\u0000'],
  ['0000-01-01T00:00:00.000Z', '1'],
  ['9'.repeat(30), null],
  ['1', '9'.repeat(30)],
].map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'));

test('a crafted cursor of a list is refused, or leads to a page', async () => {
  const { call } = await openDashboard(api, 'cursors@example.com');
  for (const cursor of CRAFTED) {
    for (const list of [
      () => call.requests.list({ cursor }),
      () => call.jobs.list({ cursor }),
      () => call.webhooks.deliveries({ cursor }),
      () => call.wallet.ledger({ cursor }),
      () => call.account.activity({ cursor }),
    ]) {
      const code = await list().then(
        () => 'OK',
        (fault) => fault.code,
      );
      expect(['OK', 'BAD_REQUEST']).toContain(code);
    }
  }
});

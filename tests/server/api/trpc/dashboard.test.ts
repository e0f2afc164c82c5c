import { randomUUID } from 'node:crypto';
import { text as getText } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatWarning } from '../../../../models/core/runtime/run-warnings.ts';
import { deleteAccount } from '../../../../server/api/account/delete-account.ts';
import { exportAccount, ledgerCsv } from '../../../../server/api/account/export-account.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { openSandbox } from '../../../../server/identity/accounts/index.ts';
import { authenticateKey } from '../../../../server/identity/keys/index.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard, submitConversion } from '../../../support/service/dashboard.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ EMBEDDED_DATABASE: '1', RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

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
    const lines = (await getText(ledgerCsv(api.ctx, accountId))).trim().split('\r\n');
    expect(lines[0]).toBe('time,kind,reference,operation,amount_usd,balance_usd,job_reference,job_metadata');
    expect(lines[1]).toMatch(/^\d{4}-.*Z,top_up,test top-up,,1\.00,6\.00,,$/);
    expect(lines).toHaveLength(3);
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

test('a rotated webhook secret signs together with the former one', async () => {
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
  const crafted = Buffer.from(JSON.stringify(['2026-01-01T00:00:00.000Z', '-'.repeat(36)])).toString(
    'base64url',
  );
  await expect(call.webhooks.deliveries({ cursor: crafted })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(call.webhooks.sendTest({ url: 'http://10.0.0.1/' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

describe('the data of an account', () => {
  test('is exported whole, without secrets', async () => {
    const { call, accountId } = await openDashboard(api, 'export@example.com');
    const { apiKey } = await call.keys.create({ name: 'exported' });
    const id = await submitConversion(api, call);
    const warning = formatWarning('flattened');
    const { db } = api.ctx;
    await db
      .update(schema.jobs)
      .set({ warnings: [warning] })
      .where(eq(schema.jobs.id, id));
    const text = await getText(exportAccount(api.ctx, accountId));
    const data = JSON.parse(text);
    expect(data).toMatchObject({ users: [{ name: 'Ada' }], balance_usd: '5.00' });
    expect(data.jobs).toMatchObject([{ id, held_usd: '0.002', warnings: [warning.message] }]);
    expect(data.ledger).toHaveLength(1);
    expect(text).not.toContain(apiKey.slice(11));
    expect(text).not.toContain('whsec_');
  });

  test('has its settings, files and machines in its export, with amounts of money as text', async () => {
    const { call, accountId } = await openDashboard(api, 'settings@example.com');
    await call.spending.setCap({ amountUsd: '30' });
    const id = await submitConversion(api, call);
    const { $client } = api.ctx.db;
    await $client`insert into self_hosted_workers values (${accountId}, 'studio-2', now())`;
    await $client`insert into presets (account_id, name, version, steps, outputs)
      select ${accountId}, 'shop', version, '[{"use":"upscale"}]', '[]' from generate_series(1, 2) version`;
    await $client`insert into uploads (token, account_id, name, bytes, expires_at)
      values ('gives-access', ${accountId}, 'otter.jpg', 10, now() + interval '1 hour')`;
    await $client`insert into tokens (key_id, sha256, max_micro_usd, expires_at)
      select id, '\\xabcdef', 250000, now() + interval '1 hour' from api_keys where account_id = ${accountId}`;
    await $client`insert into automatic_top_ups (account_id, threshold_micro_usd, amount_micro_usd, customer_id, payment_method_id)
      values (${accountId}, 1000000, 20000000, 'cus_1', 'pm_1')`;
    await $client`insert into spending_alerts (account_id, month, share, spent_micro_usd, cap_micro_usd)
      values (${accountId}, '2026-11', 80, 24000000, 30000000)`;
    const sandboxId = await openSandbox(api.ctx.db, accountId);
    await $client`insert into presets (account_id, name, version, steps, outputs)
      values (${sandboxId}, 'trial', 1, '[]', '[]')`;
    const text = await getText(exportAccount(api.ctx, accountId));
    const data = JSON.parse(text);
    expect(data).toMatchObject({
      account: { monthlyCap: '30.00' },
      presets: [
        { name: 'shop', version: 1, steps: [{ use: 'upscale' }] },
        { name: 'shop', version: 2 },
      ],
      test_presets: [{ name: 'trial' }],
      uploads: [{ name: 'otter.jpg', bytes: 10 }],
      tokens: [{ keyName: 'jobs', max: '0.25', spent: '0.00' }],
      self_hosted_workers: [{ name: 'studio-2' }],
      automatic_top_up: { threshold: '1.00', amount: '20.00' },
      spending_alerts: [{ month: '2026-11', share: 80, spent_usd: '24.00', cap_usd: '30.00' }],
      spending: [{ reserved_usd: '0.002', charged_usd: '0.00' }],
      jobs: [{ id, files: [{ role: 'input', fileName: 'photo.png' }], items: [] }],
    });
    expect(text).not.toContain('gives-access');
    expect(text).not.toContain('abcdef');
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
      select ${accountId}, 'job_' || n, 'https://example.com/hooks/T0aB1cD2eF3gH4iJ5?token=hush', '{}', 'delivered', 1
      from generate_series(1, 103) n`;
    await $client`
      insert into webhook_delivery_attempts (delivery_id, attempt, duration_ms, response_status)
      select id, 1, 20, 200 from webhook_deliveries where account_id = ${accountId}`;
    const text = await getText(exportAccount(api.ctx, accountId));
    const { payments, deliveries, ledger } = JSON.parse(text);
    const distinct = (rows: { readonly id: string }[]) => new Set(rows.map(({ id }) => id)).size;
    expect([distinct(payments), distinct(deliveries)]).toEqual([1203, 103]);
    // What gives access to the receiver is the account's secret, and none of the person's who downloads this.
    expect(deliveries[0].url).toBe('https://example.com/hooks/[redacted]?[redacted]');
    expect(deliveries[0]).toMatchObject({ body: '{}', attempts: [{ responseStatus: 200 }] });
    expect(ledger).toMatchObject([{ amount_usd: '5.00', balance_usd: '5.00' }]);
  });

  test('is deleted for ever, with what its keys could do, but not while a job runs', async () => {
    const { call, accountId } = await openDashboard(api, 'gone@example.com');
    const { apiKey } = await call.keys.create({ name: 'gone' });
    const id = await submitConversion(api, call);
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

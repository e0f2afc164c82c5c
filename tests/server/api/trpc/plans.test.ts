import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillAccount } from '../../../../lab/support/crowded-account.ts';
import {
  explainStatement,
  listWholeScans,
  recordStatements,
  type StatementLog,
} from '../../../../lab/support/query-plans.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { openAccount } from '../../../../server/identity/accounts/index.ts';
import { startApi, type TestApi } from '../../../support/service/api.ts';
import { openDashboard } from '../../../support/service/dashboard.ts';

/** Tables that grow with use: a scan of a whole one takes longer each day. */
const GROWING = ['jobs', 'entries', 'transfers', 'holds', 'files', 'webhook_deliveries', 'payments'];

let api: TestApi;
let call: Awaited<ReturnType<typeof openDashboard>>['call'];
let overview: typeof call.health.overview;
let log: StatementLog;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  log = recordStatements(api.ctx.db);
  const { db } = log;
  const own = await openDashboard({ ctx: { ...api.ctx, db } }, 'own@example.com');
  const env = { ...api.ctx.env, OWNER_EMAILS: [own.email] };
  ({ overview } = own.callIn({ ...api.ctx, db, env }).health);
  const { accountId: neighbour } = await openAccount(api.ctx.db, 'neighbour@example.com');
  await fillAccount(api.ctx.db, neighbour, { jobs: 9_000, entries: 5_000 });
  await fillAccount(api.ctx.db, own.accountId, { jobs: 1_000, entries: 1_000 });
  call = own.call;
});
afterAll(() => api.close());

/** Names the growing tables that the statements of some work scan whole. */
async function scannedBy(work: () => Promise<unknown>): Promise<string[]> {
  const made = (await log.record(work)).filter(({ text }) =>
    /^\s*(\/\*.*?\*\/\s*)?(select|with)/i.test(text),
  );
  expect(made.length).toBeGreaterThan(0);
  const plans = await Promise.all(made.map((statement) => explainStatement(api.ctx.db, statement)));
  return plans.flatMap(listWholeScans).filter((table) => GROWING.includes(table));
}

test('a scan of a growing table is found', async () => {
  expect(await scannedBy(async () => await log.db.select().from(schema.jobs))).toEqual(['jobs']);
});

test.each<[string, () => Promise<unknown>]>([
  ['wallet.summary', () => call.wallet.summary()],
  ['wallet.ledger', () => call.wallet.ledger({ limit: 25 })],
  ['wallet.ledger of credits', () => call.wallet.ledger({ only: 'credits', limit: 25 })],
  ['wallet.ledger of charges', () => call.wallet.ledger({ only: 'charges', limit: 25 })],
  ['wallet.ledger of an operation', () => call.wallet.ledger({ operation: 'upscale', limit: 25 })],
  ['jobs.list', () => call.jobs.list({ limit: 25 })],
  ['jobs.list of a status', () => call.jobs.list({ statuses: ['FAILED'], limit: 25 })],
  ['jobs.list of a model', () => call.jobs.list({ modelId: 'upscale', limit: 25 })],
  ['jobs.list of a reference', () => call.jobs.list({ search: 'order 1', limit: 25 })],
  ['jobs.list of metadata', () => call.jobs.list({ search: 'customer=ACME', limit: 25 })],
  ['jobs.get', async () => call.jobs.get({ id: (await call.jobs.list({ limit: 1 })).jobs[0]?.id ?? '' })],
  ['usage.spending of a month', () => call.usage.spending({ from: daysAgo(30), to: daysAgo(0) })],
  ['webhooks.deliveries', () => call.webhooks.deliveries({ limit: 25 })],
  ['payments.list', () => call.payments.list()],
  ['keys.list', () => call.keys.list()],
])('%s reads no growing table whole', async (_, work) => {
  expect(await scannedBy(work)).toEqual([]);
});

test('health.overview sums the stored files, and reads no other growing table whole', async () => {
  expect(await scannedBy(overview)).toEqual(['files']);
});

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

import { drizzle } from 'drizzle-orm/postgres-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillAccount } from '../../../scripts/support/crowded-account.ts';
import { openAccount } from '../../../server/accounts/index.ts';
import { type Db, schema } from '../../../server/base/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { openDashboard } from '../../support/service/dashboard.ts';

/** Tables that grow with use: a scan of a whole one takes longer each day. */
const GROWING = ['jobs', 'entries', 'transfers', 'holds', 'files', 'webhook_deliveries', 'payments'];

interface Statement {
  readonly text: string;
  readonly params: unknown[];
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

let api: TestApi;
let call: Awaited<ReturnType<typeof openDashboard>>['call'];
let overview: typeof call.health.overview;
let statements: Statement[] = [];
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  const logger = {
    logQuery: (text: string, params: unknown[]) => void statements.push({ text, params }),
  };
  const db = drizzle(api.ctx.db.$client, { schema, logger }) as Db;
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
  statements = [];
  await work();
  const made = statements.filter(({ text }) => /^\s*(select|with)/i.test(text));
  expect(made.length).toBeGreaterThan(0);
  const plans = await Promise.all(
    made.map(({ text, params }) =>
      api.ctx.db.$client.unsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
        `explain (format json) ${text}`,
        params as string[],
      ),
    ),
  );
  return plans.flatMap((rows) => rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => scans(Plan))));
}

function scans(plan: Plan): string[] {
  const table = plan['Relation Name'] ?? '';
  const own = plan['Node Type'] === 'Seq Scan' && GROWING.includes(table) ? [table] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scans)];
}

test('a scan of a growing table is found', async () => {
  const db = drizzle(api.ctx.db.$client, {
    logger: { logQuery: (text, params) => void statements.push({ text, params }) },
  });
  expect(await scannedBy(() => db.select().from(schema.jobs))).toEqual(['jobs']);
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

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccount } from '../../server/accounts/index.ts';
import { schema } from '../../server/base/db.ts';
import { readEnv } from '../../server/base/env.ts';
import { createLogger } from '../../server/base/log.ts';
import type { Context } from '../../server/context.ts';
import { openStorage } from '../../server/storage/index.ts';
import { appRouter } from '../../server/trpc/router.ts';
import { fillAccount } from '../support/crowded-account.ts';
import { withServiceDatabase } from '../support/service-database.ts';
import { median, ms, ratio, report, timeMs } from './measure.ts';

const CROWD = { jobs: 10_000, entries: 100_000 };
const ROUNDS = 21;
const QUERY_MS_MAX = 50;

/**
 * Measures the dashboard's queries for an account with 10,000 jobs and 100,000 ledger entries, beside the shortest
 * statement that PostgreSQL answers.
 */
export async function benchDashboard(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const env = readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT_BURST: '1000000' });
  try {
    await withServiceDatabase(env, async (db) => {
      const { accountId } = await openAccount(db, 'bench@example.com');
      await fillAccount(db, accountId, CROWD);
      const storage = await openStorage(env);
      const ctx: Context = { env, db, storage, log: createLogger('warn', 'bench') };
      await measure(ctx, accountId);
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

async function measure(ctx: Context, accountId: string): Promise<void> {
  const person = { email: 'bench@example.com', name: 'Bench' };
  const [user] = await ctx.db
    .insert(schema.users)
    .values({ accountId, ...person })
    .returning();
  const visitor = { userId: user?.id ?? '', accountId, sessionId: randomUUID(), ...person };
  const call = appRouter.createCaller({ ctx, visitor, headers: new Headers() });
  const { jobs } = await call.jobs.list({ limit: 1 });
  const queries: Readonly<Record<string, () => Promise<unknown>>> = {
    'wallet.summary': () => call.wallet.summary(),
    'wallet.ledger': () => call.wallet.ledger({ limit: 100 }),
    'wallet.ledger of credits': () => call.wallet.ledger({ only: 'credits', limit: 100 }),
    'wallet.ledger of an operation': () => call.wallet.ledger({ operation: 'upscale', limit: 100 }),
    'jobs.list': () => call.jobs.list({ limit: 100 }),
    'jobs.list of a status': () => call.jobs.list({ statuses: ['FAILED'], limit: 100 }),
    'jobs.list of a model': () => call.jobs.list({ modelId: 'upscale', limit: 100 }),
    'jobs.get': () => call.jobs.get({ id: jobs[0]?.id ?? '' }),
    'usage.spending of a month': () => call.usage.spending({ from: daysAgo(30), to: daysAgo(0) }),
    'usage.spending of a year': () => call.usage.spending({ from: daysAgo(365), to: daysAgo(0) }),
    'webhooks.deliveries': () => call.webhooks.deliveries({ limit: 100 }),
    'payments.list': () => call.payments.list(),
    'keys.list': () => call.keys.list(),
  };
  const bare = await medianMs(() => ctx.db.$client`select 1`);
  for (const [name, query] of Object.entries(queries)) {
    const taken = await medianMs(query);
    const verdict = taken <= QUERY_MS_MAX ? 'ok' : `ABOVE ${QUERY_MS_MAX} ms`;
    report(name, { median: ms(taken), 'to select 1': ratio(taken, bare), verdict });
  }
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timeMs(work));
  return median(times);
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withServiceDatabase } from '../../scripts/commands/service-database.ts';
import type { Context } from '../../server/base/context.ts';
import { readEnv } from '../../server/base/env.ts';
import { createLogger } from '../../server/base/log.ts';
import { openAccount } from '../../server/identity/accounts/index.ts';
import { openStorage } from '../../server/io/storage/index.ts';
import { fillAccount } from '../support/crowded-account.ts';
import { listDashboardQueries } from './dashboard-queries.ts';
import { median, ms, ratio, report, timeMs } from './measure.ts';

const CROWD = { jobs: 10_000, entries: 100_000 };
const ROUNDS = 21;
const QUERY_MS_MAX = 50;

/**
 * Measures the dashboard's queries for an account with 10,000 jobs and 100,000 ledger entries, compared with the shortest
 * statement that PostgreSQL runs.
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
  const queries = await listDashboardQueries(ctx, accountId);
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

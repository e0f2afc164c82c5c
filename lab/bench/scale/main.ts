import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Context } from '../../../server/base/context.ts';
import { closeDb, openDb } from '../../../server/base/database/db.ts';
import { migrate } from '../../../server/base/database/migrate.ts';
import { readEnv } from '../../../server/base/env.ts';
import { createLogger } from '../../../server/base/log.ts';
import { openStorage } from '../../../server/io/storage/index.ts';
import { startPostgres } from '../../../server/ops/embedded/index.ts';
import { recordStatements } from '../../support/query-plans.ts';
import { report, timeMs } from '../measure.ts';
import { fillTables, type ServiceSize } from './fill-tables.ts';
import { measurePurge } from './measure-purge.ts';
import { explainService, measureService, type StepTimes } from './measure-service.ts';
import { printGrowth, printPlans, printPurge, printSimulation } from './print-figures.ts';
import { simulateRunners } from './simulate-runners.ts';

const DEFAULT_JOBS = ['1000', '100000', '3000000'];
const ACCOUNTS_MAX = 10_000;
const ROUNDS = { jobs: 200, reads: 100, dashboard: 15, upkeep: 5 };
const LANE = 'interactive';
const RUN_MS = 500;
/** Without a write-ahead log of what fills empty tables, and with memory to build indexes. */
const FILLING = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  shared_buffers: '1GB',
  maintenance_work_mem: '512MB',
};
/** The product's own, but for the connections of the simulated runners: a pool and a lease each. */
const MEASURING = { max_connections: '1000' };

interface Simulated {
  readonly runners: number;
  readonly seconds: number;
}

/**
 * Measures how the cost of the service's steps grows with its tables, each size in its own PostgreSQL that is
 * removed afterwards. The largest default size takes 8 GB of disk.
 * @param args numbers of jobs, by default a thousand, a hundred thousand and 3 million; `--runners` and `--seconds` of
 *   the simulation of runners
 */
export async function benchScale(args: readonly string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      runners: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '60' },
    },
  });
  const sizes = (positionals.length > 0 ? positionals : DEFAULT_JOBS).map(readNumber);
  const simulated = { runners: readNumber(values.runners), seconds: readNumber(values.seconds) };
  const all = new Map<number, readonly StepTimes[]>();
  const tookMs = await timeMs(async () => {
    for (const jobs of sizes) all.set(jobs, await benchSize(chooseSize(jobs), simulated));
  });
  printGrowth(all);
  console.log(`took ${(tookMs / 60_000).toFixed(1)} minutes`);
}

/** Returns the size of a service with so many jobs: a sixth of them wait. */
function chooseSize(jobs: number): ServiceSize {
  return { jobs, accounts: Math.min(ACCOUNTS_MAX, Math.ceil(jobs / 10)), queued: Math.floor(jobs / 6) };
}

function readNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Error(`${text}: give a whole number above 0`);
}

async function benchSize(size: ServiceSize, simulated: Simulated): Promise<readonly StepTimes[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'darkroom-scale-'));
  // The server may run as another user, and its folder is to lie in here.
  await chmod(dataDir, 0o755);
  console.log(`\n${size.jobs} jobs, ${size.queued} of them queued, of ${size.accounts} accounts`);
  try {
    const fillMs = await timeMs(() => withPostgres(dataDir, FILLING, (url) => fill(url, size)));
    report('filled', { in: `${(fillMs / 1000).toFixed(0)} s` });
    return await withPostgres(dataDir, MEASURING, (url) => measureFilled(dataDir, url, simulated));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function withPostgres<T>(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const server = await startPostgres({ dataDir, settings });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

async function fill(url: string, size: ServiceSize): Promise<void> {
  await migrate(url);
  const db = openDb(url, { connectionsMax: 1, statementTimeoutMs: 0 });
  await fillTables(db, size).finally(() => closeDb(db));
}

async function measureFilled(
  dataDir: string,
  url: string,
  { runners, seconds }: Simulated,
): Promise<readonly StepTimes[]> {
  const env = readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT_BURST: '1000000' });
  const db = openDb(url);
  const storage = await openStorage(env);
  const ctx: Context = { env, db, storage, log: createLogger('warn', 'bench') };
  try {
    printPlans(await explainService(ctx, recordStatements(db)));
    const times = await measureService(ctx, ROUNDS);
    printPurge(await measurePurge(ctx));
    printSimulation(await simulateRunners(ctx, { url, lane: LANE, runners, seconds, runMs: RUN_MS }));
    return times;
  } finally {
    await closeDb(db);
  }
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { isTerminal } from '../../models/core/operation/job.ts';
import { closeDb, openDb, schema } from '../../server/base/database/db.ts';
import { migrate } from '../../server/base/database/migrate.ts';
import { isAlive } from '../../server/base/is-alive.ts';
import { readBalance, reconcileBalances } from '../../server/money/wallet/index.ts';
import { startPostgres } from '../../server/ops/embedded/index.ts';
import { OPERATIONS } from '../support/operations/test-operations.ts';
import type { TestDatabase } from '../support/service/database.ts';
import type { JobFixture } from '../support/service/job-fixture.ts';

export const operation = OPERATIONS['test-run'];
export const PRICE = 2_000n;
/** Long enough for two pauses of the queue between attempts. */
export const WITHIN = { timeout: 150_000, interval: 100 };

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const runnerModule = fileURLToPath(new URL('../support/processes/runner-process.ts', import.meta.url));

/** Starts a runner as a real process and waits until it claims jobs. */
export async function startRunnerProcess({ ctx, url }: JobFixture): Promise<ChildProcess> {
  const runner = fork(runnerModule, {
    execArgv: ['--import', tsx],
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: ctx.env.DATA_DIR,
      RUNNER_CONCURRENCY: '2',
      LOG_LEVEL: ctx.env.LOG_LEVEL,
    },
  });
  await Promise.race([
    once(runner, 'message'),
    once(runner, 'exit').then(() => Promise.reject(new Error('no runner'))),
  ]);
  return runner;
}

export async function kill(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exited = once(process, 'exit');
  process.kill('SIGKILL');
  await exited;
}

/** PostgreSQL that may be killed without affecting other tests. */
export interface OwnPostgres extends TestDatabase {
  /** Sends kill -9 to the server, in whatever state. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'chaos-'));
  await chmod(dataDir, 0o755);
  let server = await startPostgres({ dataDir });
  await migrate(server.url);
  const db = openDb(server.url);
  return {
    db,
    url: server.url,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await expect.poll(() => isAlive(server.pid), WITHIN).toBe(false);
    },
    async start() {
      server = await startPostgres({ dataDir });
    },
    async drop() {
      await closeDb(db);
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Checks the invariants after any failure: every accepted job has one end, and is charged once or not at all. */
export async function expectAllSettled(
  { ctx, actor }: JobFixture,
  ids: readonly string[],
  credit = 1_000_000n,
): Promise<void> {
  const { jobs, holds } = schema;
  const rows = await expect
    .poll(async () => {
      const all = await ctx.db.select().from(jobs);
      return all.filter(({ status }) => isTerminal(status)).map(({ id }) => id);
    }, WITHIN)
    .toEqual(expect.arrayContaining([...ids]))
    .then(() => ctx.db.select().from(jobs));
  expect(rows).toHaveLength(ids.length);
  for (const { status, charged } of rows) expect(charged).toBe(status === 'COMPLETED' ? PRICE : 0n);
  const completed = rows.filter(({ status }) => status === 'COMPLETED');
  expect(await ctx.db.$count(holds, eq(holds.state, 'open'))).toBe(0);
  expect(await ctx.db.$count(holds, eq(holds.state, 'captured'))).toBe(completed.length);
  const left = credit - PRICE * BigInt(completed.length);
  expect(await readBalance(ctx.db, actor.accountId)).toEqual({ balance: left, held: 0n, available: left });
  expect(await reconcileBalances(ctx.db)).toEqual({ ok: true, faults: [] });
  const outputs = await ctx.db.select().from(schema.files).where(eq(schema.files.role, 'output'));
  expect(outputs.map(({ jobId }) => jobId).toSorted()).toEqual(completed.map(({ id }) => id).toSorted());
  for (const { key } of outputs) (await ctx.storage.get(key)).stream.destroy();
}

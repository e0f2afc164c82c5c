// @module-tag long

import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { schema } from '../../server/base/database/db.ts';
import { isAlive } from '../../server/base/is-alive.ts';
import { listTaskRuns } from '../../server/jobs/scheduled-tasks.ts';
import { createJobFixture, type JobFixture } from '../support/service/job-fixture.ts';
import {
  expectAllSettled,
  kill,
  type OwnPostgres,
  operation,
  startOwnPostgres,
  startRunnerProcess,
  WITHIN,
} from './chaos.ts';

/** Wide: each start of a process takes many seconds on a busy machine. */
const LONG = { timeout: 400_000 };
let fixture: JobFixture;
const runners: ChildProcess[] = [];

async function startRunner(): Promise<ChildProcess> {
  const runner = await startRunnerProcess(fixture);
  runners.push(runner);
  return runner;
}
afterEach(async () => {
  await Promise.all(runners.splice(0).map(kill));
  await fixture.close();
});

const mark = (name: string): string => join(fixture.ctx.env.DATA_DIR, `began-${name}`);
function submitSlow(count: number, durationMs: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      fixture.submit(operation, { behaviour: 'slow', durationMs, mark: mark(String(index)) }),
    ),
  );
}
/** Lists the processes that have begun a run. */
async function childPids(): Promise<number[]> {
  const names = (await readdir(fixture.ctx.env.DATA_DIR)).filter((name) => name.startsWith('began-'));
  const texts = names.map((name) => readFile(join(fixture.ctx.env.DATA_DIR, name), 'utf8'));
  return [...new Set((await Promise.all(texts)).map(Number))].filter((pid) => pid > 0);
}
const runsHaveBegun = (count: number) =>
  expect.poll(async () => (await childPids()).length, WITHIN).toBeGreaterThanOrEqual(count);

describe('kill -9', LONG, () => {
  test('of the runner ends its children, and another runner finishes its jobs', async () => {
    fixture = await createJobFixture();
    const first = await startRunner();
    const ids = await submitSlow(5, 1_500);
    await runsHaveBegun(2);
    const children = await childPids();
    await kill(first);
    await expect.poll(() => children.some(isAlive), WITHIN).toBe(false);
    await startRunner();
    await expectAllSettled(fixture, ids);
    const jobs = await fixture.ctx.db.select().from(schema.jobs);
    expect(jobs.every(({ status }) => status === 'COMPLETED')).toBe(true);
    expect(jobs.filter(({ attempt }) => attempt === 2)).toHaveLength(2);
  });

  test('of the runner leaves no child behind, even in a decoder that never yields', async () => {
    fixture = await createJobFixture();
    const runner = await startRunner();
    await fixture.submit(operation, { behaviour: 'spin', mark: mark('spin') });
    await runsHaveBegun(1);
    const children = await childPids();
    await kill(runner);
    await expect.poll(() => children.some(isAlive), WITHIN).toBe(false);
  });

  test('of the runner in a scheduled task: another runner takes the task over, and it is recorded once', async () => {
    fixture = await createJobFixture();
    const { db } = fixture.ctx;
    const { scheduledTasks } = schema;
    const isPurge = eq(scheduledTasks.name, 'purge');
    const purge = async () => (await db.select().from(scheduledTasks).where(isPurge))[0];
    const first = await startRunner();
    await db.transaction(async (tx) => {
      // Nothing but the purge waits for this table.
      await tx.execute(sql`lock table audit_events`);
      await db.update(scheduledTasks).set({ runAt: sql`now()` }).where(isPurge);
      await expect.poll(purge, WITHIN).toMatchObject({ attempt: 1, lockedBy: expect.any(String) });
      await kill(first);
      await startRunner();
      await expect.poll(purge, WITHIN).toMatchObject({ attempt: 2, lockedBy: expect.any(String) });
      expect((await listTaskRuns(db)).filter(({ name }) => name === 'purge')).toEqual([]);
    });
    await expect.poll(purge, WITHIN).toMatchObject({ attempt: 2, lockedBy: null });
    expect((await listTaskRuns(db)).filter(({ name }) => name === 'purge')).toMatchObject([{ fault: null }]);
  });

  test('of a child: the job is retried', async () => {
    fixture = await createJobFixture();
    await startRunner();
    const ids = await submitSlow(2, 1_500);
    await runsHaveBegun(2);
    for (const pid of await childPids()) process.kill(pid, 'SIGKILL');
    await expectAllSettled(fixture, ids);
    const jobs = await fixture.ctx.db.select().from(schema.jobs);
    expect(jobs.map(({ status, attempt }) => [status, attempt])).toEqual([
      ['COMPLETED', 2],
      ['COMPLETED', 2],
    ]);
  });

  test('of PostgreSQL: the runner reconnects by itself and finishes every job', async () => {
    const postgres = await startOwnPostgres();
    fixture = await createJobFixture({ database: postgres });
    const runner = await startRunner();
    const ids = await submitSlow(5, 1_000);
    await runsHaveBegun(2);
    await postgres.kill();
    await postgres.start();
    await expectAllSettled(fixture, ids);
    expect(runner.exitCode).toBeNull();
  });

  test('of every process in turn, repeatedly, under load', async () => {
    const postgres = await startOwnPostgres();
    fixture = await createJobFixture({ database: postgres });
    await Promise.all([startRunner(), startRunner()]);
    const ids = await submitStorm();
    for (const target of KILL_SEQUENCE) {
      await killWhenBusy(target, postgres);
    }
    await expectAllSettled(fixture, ids);
    // Only the killed ones have ended.
    expect(runners.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null, null]);
  });
});

const KILL_SEQUENCE = ['child', 'postgres', 'runner', 'child', 'runner', 'postgres'] as const;

async function killWhenBusy(target: (typeof KILL_SEQUENCE)[number], postgres: OwnPostgres): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 700));
  if (target === 'child') {
    for (const pid of (await childPids()).filter(isAlive)) process.kill(pid, 'SIGKILL');
  } else if (target === 'postgres') {
    await postgres.kill();
    await postgres.start();
  } else {
    const [runner] = runners.splice(0, 1);
    if (runner) await kill(runner);
    await startRunner();
  }
}

/** Submits good, slow and hostile jobs, mixed. */
async function submitStorm(): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < 30; index++) {
    const behaviour = (['slow', 'copy', 'corrupt', 'slow', 'crash-once', 'copy'] as const)[index % 6];
    const durationMs = 200 + 100 * (index % 5);
    ids.push(await fixture.submit(operation, { behaviour, durationMs, mark: mark(String(index)) }));
  }
  return ids;
}

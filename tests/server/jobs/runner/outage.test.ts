// @module-tag long

import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBreakers } from '../../../../server/base/breakers.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { OutageError } from '../../../../server/base/outage.ts';
import { claimEntry, releaseEntry } from '../../../../server/base/queue/index.ts';
import type { Storage } from '../../../../server/base/storage.ts';
import { endOverdueJobs } from '../../../../server/jobs/index.ts';
import { startRunner } from '../../../../server/jobs/runner/runner.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';
import {
  createRunnerHarness,
  operationsModule,
  type RunnerHarness,
  WITHIN,
} from '../../../support/service/runner-harness.ts';

let harness: RunnerHarness;
beforeEach(async () => {
  harness = await createRunnerHarness();
});
afterEach(() => harness.fixture.close());

/** Starts a runner on a store that can be taken away. */
async function startOnStore() {
  const { ctx, url } = harness.fixture;
  const store = { isAway: true, calls: 0 };
  const check = () => {
    store.calls += 1;
    if (store.isAway) throw new OutageError('store');
  };
  const storage: Storage = {
    ...ctx.storage,
    async putFile(...given) {
      check();
      await ctx.storage.putFile(...given);
    },
    async toLocalFile(...given) {
      check();
      return await ctx.storage.toLocalFile(...given);
    },
  };
  const breakers = createBreakers();
  const runner = startRunner(
    { ...ctx, storage },
    { databaseUrl: url, operations: OPERATIONS, operationsModule, breakers },
  );
  await runner.ready;
  return { runner, store, breakers };
}

async function age(hours: number): Promise<void> {
  await harness.fixture.ctx.db
    .update(schema.jobs)
    .set({ createdAt: sql`now() - ${hours}::int * interval '1 hour'` });
}

test('jobs outlast an outage of the store without a counted attempt, and are charged once', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => harness.submit({ behaviour: 'copy' })));
  const { runner, store, breakers } = await startOnStore();
  await expect.poll(() => breakers.listOpen(), WITHIN).toMatchObject([{ dependency: 'store' }]);
  // Longer than three attempts take.
  await expect.poll(() => breakers.listOpen()[0]?.failures ?? 0, WITHIN).toBeGreaterThan(4);
  const attempts = await Promise.all(ids.map(harness.attempts));
  expect(Math.max(...attempts.map((count) => count ?? 0))).toBeLessThanOrEqual(1);
  store.isAway = false;
  for (const id of ids) expect(await harness.endedWithoutPauses(id)).toMatchObject({ status: 'COMPLETED' });
  expect(new Set(await Promise.all(ids.map(harness.attempts)))).toEqual(new Set([1]));
  expect(breakers.listOpen()).toEqual([]);
  const charges = await harness.fixture.ctx.db.select().from(schema.holds);
  expect(charges.map(({ state }) => state)).toEqual(ids.map(() => 'captured'));
  await runner.stop();
});

test('a run that fails by its input shows that the store works again', async () => {
  const { runner, store, breakers } = await startOnStore();
  for (let failure = 0; failure < 3; failure++) breakers.recordFailure('store');
  for (let failure = 0; failure < 3; failure++) breakers.recordFailure('database');
  store.isAway = false;
  const id = await harness.submit({ behaviour: 'corrupt' });
  expect(await harness.endedWithoutPauses(id)).toMatchObject({ status: 'FAILED' });
  await expect.poll(() => breakers.listOpen(), WITHIN).toEqual([]);
  await runner.stop();
});

test('a job that has waited for too long ends in ERROR, without a charge', async () => {
  const id = await harness.submit({ behaviour: 'copy' });
  await age(7);
  const { runner } = await startOnStore();
  expect(await harness.ended(id)).toMatchObject({
    status: 'ERROR',
    error: expect.stringContaining('could not run this job'),
    billing: { charged_usd: '0.00' },
  });
  expect(await harness.fixture.ctx.db.select().from(schema.jobs)).toMatchObject([
    { errorCode: 'unavailable' },
  ]);
  await runner.stop();
});

test('also where no runner claims it; one that a runner works on goes on', async () => {
  const { ctx } = harness.fixture;
  const [waiting, running] = [
    await harness.submit({ behaviour: 'copy' }),
    await harness.submit({ behaviour: 'copy' }),
  ];
  await age(7);
  await ctx.db.update(schema.queueEntries).set({ lockedBy: 'a runner' }).where(sql`id = ${running}`);
  expect(await endOverdueJobs(ctx)).toBe(1);
  expect([(await harness.view(waiting)).status, (await harness.view(running)).status]).toEqual([
    'ERROR',
    'QUEUED',
  ]);
});

test('the time of its runs does not count as waiting', async () => {
  const { ctx } = harness.fixture;
  const { queueEntries } = schema;
  const id = await harness.submit({ behaviour: 'copy' });
  await age(7);
  const [entry] = await ctx.db.select().from(queueEntries);
  if (!entry) throw new Error('the job has no entry');
  const queued = { id, lane: 'interactive' as const, accountId: entry.accountId };
  expect(await claimEntry(ctx.db, queued, 'a runner')).toBe(true);
  await ctx.db.update(queueEntries).set({ claimedAt: sql`now() - interval '2 hours'` });
  await releaseEntry(ctx.db, id, 'a runner', { hasFailed: false });
  expect(await endOverdueJobs(ctx)).toBe(0);
  const { runner, store } = await startOnStore();
  store.isAway = false;
  expect(await harness.endedWithoutPauses(id)).toMatchObject({ status: 'COMPLETED' });
  await runner.stop();
});

test('an attempt that the database lost is uncounted once the database is back', async () => {
  const { ctx } = harness.fixture;
  const runner = await harness.start();
  const mark = harness.mark('began');
  const id = await harness.submit({ behaviour: 'slow', durationMs: 2_000, mark });
  await expect.poll(async () => (await harness.view(id)).status, WITHIN).toBe('PROCESSING');
  await ctx.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  expect(await harness.endedWithoutPauses(id)).toMatchObject({ status: 'COMPLETED' });
  expect(await harness.attempts(id)).toBe(1);
  await runner.stop();
});

test('a run that finds the disk full waits, and one that crashes counts', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const runner = await harness.start();
  const full = await harness.submit({ behaviour: 'full-disk', mark: harness.mark('full') });
  expect(await harness.endedWithoutPauses(full)).toMatchObject({ status: 'COMPLETED' });
  expect(await harness.attempts(full)).toBe(1);
  const exit = await harness.submit({ behaviour: 'exit' });
  expect(await harness.endedWithoutPauses(exit)).toMatchObject({ status: 'ERROR' });
  expect(await harness.attempts(exit)).toBe(3);
  await runner.stop();
});

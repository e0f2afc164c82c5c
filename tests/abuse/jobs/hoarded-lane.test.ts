// @module-tag long

import { asc } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import type { Actor } from '../../../server/identity/keys/index.ts';
import { createRunnerHarness, type RunnerHarness } from '../../support/service/runner-harness.ts';

/** More than two runners have slots for. */
const MANY = 12;
let harness: RunnerHarness;
let other: Actor;

beforeEach(async () => {
  harness = await createRunnerHarness({ RUNNER_CONCURRENCY: '1' });
  other = await harness.fixture.addActor();
});
afterEach(() => harness.fixture.close());

/** Returns the accounts of all jobs in the order of their ends. */
async function order(): Promise<string[]> {
  const { jobs } = schema;
  const ended = await harness.fixture.ctx.db.select().from(jobs).orderBy(asc(jobs.completedAt));
  return ended.map(
    ({ accountId, status }) => `${accountId === other.accountId ? 'other' : 'hoarder'} ${status}`,
  );
}

test.each([1, 2])('a job does not wait for the many of another account, with %i runners', async (count) => {
  const job = { behaviour: 'slow', durationMs: 200 };
  for (let i = 0; i < MANY; i++) await harness.submit(job);
  await harness.submit(job, { actor: other });
  const runners = await Promise.all(Array.from({ length: count }, () => harness.start()));
  await expect.poll(() => harness.fixture.ctx.db.$count(schema.queueEntries)).toBe(0);
  await Promise.all(runners.map((runner) => runner.stop()));
  const ends = await order();
  expect(ends).toHaveLength(MANY + 1);
  // Each runner takes one of the hoarder's at most before it, and each may end with or after it.
  expect(ends.indexOf('other COMPLETED')).toBeGreaterThanOrEqual(0);
  expect(ends.indexOf('other COMPLETED')).toBeLessThanOrEqual(2 * count);
});

test('two accounts with many jobs each take turns', async () => {
  for (const actor of [harness.fixture.actor, other]) {
    for (let i = 0; i < 4; i++) await harness.submit({ behaviour: 'copy' }, { actor });
  }
  const runner = await harness.start();
  await expect.poll(() => harness.fixture.ctx.db.$count(schema.queueEntries)).toBe(0);
  await runner.stop();
  const ends = await order();
  // The first look finds jobs of both, and either may be read first: whose job it is begins the turns.
  const pair = ['hoarder COMPLETED', 'other COMPLETED'];
  if (ends[0] !== pair[0]) pair.reverse();
  expect(ends).toEqual([...pair, ...pair, ...pair, ...pair]);
});

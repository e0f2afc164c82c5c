import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import {
  addTasks,
  claimTask,
  finishTask,
  listTaskRuns,
  nextRun,
  type Schedule,
  type TaskClaim,
} from '../../../server/jobs/scheduled-tasks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/service/database.ts';

const { scheduledTasks } = schema;
const HOURLY: Schedule = { everyMinutes: 60, atMinute: 23 };
const WELL = { durationMs: 5, fault: null };

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await addTasks(database.db, [{ name: 'purge', ...HOURLY }]);
});
afterEach(() => database.drop());

const makeDue = () => database.db.update(scheduledTasks).set({ runAt: sql`now() - interval '1 second'` });
const claim = (workerId: string) => claimTask(database.db, workerId, ['purge', 'clean-up']);
const finish = (of: TaskClaim) => finishTask(database.db, of, HOURLY, WELL);
const stored = async () => (await database.db.select().from(scheduledTasks))[0];

async function claimed(workerId: string): Promise<TaskClaim> {
  const found = await claim(workerId);
  if (!found) throw new Error('nothing is due');
  return found;
}

describe('the next run', () => {
  test.each<[string, Schedule, string, string]>([
    ['every minute', { everyMinutes: 1 }, '2026-11-25 18:55:21.5Z', '2026-11-25 18:56:00Z'],
    ['every minute, on it', { everyMinutes: 1 }, '2026-11-25 18:55:00Z', '2026-11-25 18:56:00Z'],
    ['every ten minutes', { everyMinutes: 10 }, '2026-11-25 18:55:21Z', '2026-11-25 19:00:00Z'],
    ['hourly, before its minute', HOURLY, '2026-11-25 18:22:59Z', '2026-11-25 18:23:00Z'],
    ['hourly, on its minute', HOURLY, '2026-11-25 18:23:00Z', '2026-11-25 19:23:00Z'],
    ['hourly, over midnight', HOURLY, '2026-12-31 23:59:59Z', '2027-01-01 00:23:00Z'],
  ])('%s', async (_, schedule, after, expected) => {
    const [row] = await database.db.execute<{ next: string }>(
      sql`select ${nextRun(schedule, sql`${after}::timestamptz`)} as next`,
    );
    expect(new Date(row?.next ?? '')).toEqual(new Date(expected));
  });

  test('of a new task is that of its schedule, which a restart does not move', async () => {
    const first = await stored();
    expect(first?.runAt.getUTCMinutes()).toBe(23);
    expect(first?.runAt.getTime()).toBeGreaterThan(Date.now());
    await makeDue();
    const due = await stored();
    await addTasks(database.db, [{ name: 'purge', ...HOURLY }]);
    expect(await stored()).toEqual(due);
  });
});

describe('a task', () => {
  test('is not claimed before it is due', async () => {
    expect(await claim('a')).toBeUndefined();
  });

  test('is claimed by one of many workers that race for it, time and again', async () => {
    for (let round = 1; round <= 5; round++) {
      await makeDue();
      const found = await Promise.all(Array.from({ length: 20 }, (_, index) => claim(`worker ${index}`)));
      const [won, ...others] = found.filter((each) => each !== undefined);
      expect(won).toMatchObject({ name: 'purge', attempt: round });
      expect(others).toEqual([]);
      if (won) expect(await finish(won)).toBe(true);
    }
  });

  test('is claimed only by workers that know it', async () => {
    await makeDue();
    expect(await claimTask(database.db, 'a', ['clean-up'])).toBeUndefined();
  });

  test('is rescheduled at its end, with a record of its run', async () => {
    await makeDue();
    const own = await claimed('a');
    expect(await listTaskRuns(database.db)).toEqual([]);
    expect(await finish(own)).toBe(true);
    expect(await listTaskRuns(database.db)).toMatchObject([{ name: 'purge', ...WELL }]);
    expect(await stored()).toMatchObject({ lockedBy: null, attempt: 1 });
    expect((await stored())?.runAt.getUTCMinutes()).toBe(23);
    expect(await claim('b')).toBeUndefined();
  });

  test('does not come twice at a moment before which the clock was set back', async () => {
    await makeDue();
    const own = await claimed('a');
    const ahead = new Date('2100-01-01T00:23:00Z');
    await database.db.update(scheduledTasks).set({ runAt: ahead }).where(eq(scheduledTasks.name, 'purge'));
    await finish(own);
    expect((await stored())?.runAt).toEqual(new Date('2100-01-01T01:23:00Z'));
  });

  test('whose response to the claim was lost is claimed again by its worker, which fences the lost claim', async () => {
    await makeDue();
    const lost = await claimed('a');
    expect(await claim('b')).toBeUndefined();
    const again = await claimed('a');
    expect(await finish(lost)).toBe(false);
    expect(await listTaskRuns(database.db)).toEqual([]);
    expect(await finish(again)).toBe(true);
  });
});

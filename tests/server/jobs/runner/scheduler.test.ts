import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBreakers } from '../../../../server/base/breakers.ts';
import { schema } from '../../../../server/base/database/db.ts';
import { createLogger } from '../../../../server/base/log.ts';
import { OutageError } from '../../../../server/base/outage.ts';
import { createScheduledTasks } from '../../../../server/jobs/runner/create-scheduled-tasks.ts';
import {
  type ScheduledWork,
  type Scheduler,
  startScheduler,
} from '../../../../server/jobs/runner/scheduler.ts';
import { listTaskRuns, type ScheduledTask } from '../../../../server/jobs/scheduled-tasks.ts';
import { createJobFixture, type JobFixture } from '../../../support/service/job-fixture.ts';

const { scheduledTasks } = schema;
let fixture: JobFixture;
const schedulers: Scheduler[] = [];

beforeEach(async () => {
  fixture = await createJobFixture();
});
afterEach(async () => {
  await Promise.all(schedulers.splice(0).map((each) => each.stop()));
  await fixture.close();
});

const hourly = (name: ScheduledTask, work: () => Promise<void>): ScheduledWork => ({
  name,
  everyMinutes: 60,
  work,
});

async function start(workerId: string, tasks: readonly ScheduledWork[]): Promise<Scheduler> {
  const scheduler = await startScheduler({
    db: fixture.ctx.db,
    log: createLogger('silent', 'test'),
    workerId,
    tasks,
    tasksMax: 2,
    breakers: createBreakers(),
  });
  schedulers.push(scheduler);
  return scheduler;
}
const makeDue = () => fixture.ctx.db.update(scheduledTasks).set({ runAt: sql`now()` });
const recorded = async () => (await listTaskRuns(fixture.ctx.db)).map(({ name, fault }) => [name, fault]);

test('a due task runs once over several schedulers, in each period', async () => {
  let runs = 0;
  const tasks = [
    hourly('purge', async () => {
      runs += 1;
    }),
  ];
  await Promise.all(['a', 'b', 'c'].map((workerId) => start(workerId, tasks)));
  await makeDue();
  await expect.poll(recorded).toEqual([['purge', null]]);
  // Longer than any of them takes until its next look.
  await wait(2_500);
  expect(runs).toBe(1);
  await makeDue();
  await expect.poll(() => runs).toBe(2);
});

test('a task that fails leaves its fault, and waits for its next time', { tags: ['long'] }, async () => {
  let runs = 0;
  await start('a', [
    hourly('purge', async () => {
      runs += 1;
      throw new Error('The disk is full.');
    }),
  ]);
  await makeDue();
  await expect.poll(recorded).toEqual([['purge', 'The disk is full.']]);
  await wait(2_500);
  expect(runs).toBe(1);
  expect(await fixture.ctx.db.select().from(scheduledTasks)).toMatchObject([{ lockedBy: null, attempt: 1 }]);
});

test('a task that an outage ends runs again soon, after growing pauses, and then at its next time', {
  tags: ['long'],
}, async () => {
  let runs = 0;
  await start('a', [
    hourly('purge', async () => {
      runs += 1;
      if (runs < 3) throw new OutageError('store');
    }),
  ]);
  await makeDue();
  await expect.poll(recorded).toEqual([['purge', expect.stringContaining('file store is not available')]]);
  await expect.poll(recorded).toEqual([['purge', null]]);
  expect(runs).toBe(3);
  expect(await fixture.ctx.db.select().from(scheduledTasks)).toMatchObject([{ failures: 0, lockedBy: null }]);
});

test('at most two tasks of a scheduler run at once, and it waits for them when it stops', {
  tags: ['long'],
}, async () => {
  const ends: (() => void)[] = [];
  const hangs = () => new Promise<void>((resolve) => ends.push(resolve));
  const scheduler = await start('a', [
    hourly('purge', hangs),
    hourly('clean-up', hangs),
    hourly('reconcile', hangs),
  ]);
  await makeDue();
  await expect.poll(() => ends.length).toBe(2);
  await wait(2_500);
  expect(ends).toHaveLength(2);
  let isStopped = false;
  const stopping = scheduler.stop().then(() => {
    isStopped = true;
  });
  await wait(200);
  expect(isStopped).toBe(false);
  for (const end of ends) end();
  await stopping;
  expect(await recorded()).toHaveLength(2);
});

test('a task whose end could not be recorded runs again', { tags: ['long'], timeout: 90_000 }, async () => {
  const { db } = fixture.ctx;
  let runs = 0;
  await start('a', [
    hourly('purge', async () => {
      runs += 1;
      if (runs === 1) await db.execute(sql`alter table task_runs rename to gone`);
      else await db.execute(sql`alter table gone rename to task_runs`);
    }),
  ]);
  await makeDue();
  await expect.poll(() => runs, { timeout: 60_000 }).toBe(2);
  await expect.poll(recorded).toEqual([['purge', null]]);
});

test('the scheduled tasks have their schedules; automatic top-ups need Stripe', () => {
  const { ctx } = fixture;
  const schedules = (env: Partial<typeof ctx.env>) =>
    createScheduledTasks({ ...ctx, env: { ...ctx.env, ...env } }).map(({ name, everyMinutes, atMinute }) => [
      name,
      everyMinutes,
      atMinute ?? 0,
    ]);
  const eachMinute = [
    ['end-overdue', 1, 0],
    ['spending-alerts', 1, 0],
  ];
  const others = [
    ['clean-up', 10, 0],
    ['reconcile', 60, 7],
    ['purge', 60, 23],
  ];
  expect(schedules({})).toEqual([...eachMinute, ...others]);
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
  expect(schedules(stripe)).toEqual([...eachMinute, ['top-up', 1, 0], ...others]);
});

test('an inconsistent ledger is the fault of its check', async () => {
  const { ctx } = fixture;
  const check = createScheduledTasks(ctx).find(({ name }) => name === 'reconcile');
  await check?.work();
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(
      sql`update ledger_accounts set balance_micro_usd = balance_micro_usd + 1 where kind = 'wallet'`,
    );
  });
  await expect(check?.work()).rejects.toThrow(/^wallet .*: balance 1000001, entries sum to 1000000$/);
});

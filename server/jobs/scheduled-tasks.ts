import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { getMessage } from '../../models/core/operation/errors.ts';
import { type Db, type Executor, schema } from '../base/database/db.ts';

/** Right to run a task, until another worker claims it. */
export interface TaskClaim {
  readonly name: ScheduledTask;
  readonly workerId: string;
  /** Fences the claim. */
  readonly attempt: number;
}

/** Regular moments, such as minute 7 of each hour. */
export interface Schedule {
  /** Divides an hour. */
  readonly everyMinutes: number;
  /** First moment of each hour; its start when absent. */
  readonly atMinute?: number;
}

/** Work of the service that is done again and again, and that an owner wants to see done. */
export type ScheduledTask =
  | 'backup'
  | 'clean-up'
  | 'purge'
  | 'reconcile'
  | 'end-overdue'
  | 'spending-alerts'
  | 'top-up';

/** End of a task's run. */
export interface Outcome {
  readonly durationMs: number;
  /** Sentence on what went wrong; null when all went well. */
  readonly fault: string | null;
}

/** Longest fault that is kept. */
const ERROR_LENGTH_MAX = 500;

/** Records the end of a task's run, in place of the record of its last run. */
export async function recordOutcome(
  db: Executor,
  name: ScheduledTask,
  { durationMs, fault }: Outcome,
): Promise<void> {
  const { taskRuns } = schema;
  const run = { durationMs: Math.round(durationMs), fault: fault?.slice(0, ERROR_LENGTH_MAX) ?? null };
  await db
    .insert(taskRuns)
    .values({ name, ...run })
    .onConflictDoUpdate({ target: taskRuns.name, set: { ...run, endedAt: sql`now()` } });
}

/**
 * Runs a task and records its end.
 * @throws what the work throws, after it is recorded
 */
export async function recordTaskRun<T>(
  db: Executor,
  name: ScheduledTask,
  work: () => Promise<T>,
): Promise<T> {
  const startedAtMs = performance.now();
  const record = (fault: string | null) =>
    recordOutcome(db, name, { durationMs: performance.now() - startedAtMs, fault });
  try {
    const result = await work();
    await record(null);
    return result;
  } catch (thrown) {
    // The error itself says more than one of the record.
    await record(getMessage(thrown)).catch(() => {});
    throw thrown;
  }
}

/** Returns the first moment of a schedule after another one. Clocks of runners differ: only the database's counts. */
export function nextRun({ everyMinutes, atMinute = 0 }: Schedule, after: SQL = sql`now()`): SQL {
  const minutes = (count: number) => sql`${count}::int * interval '1 minute'`;
  const period = minutes(everyMinutes);
  return sql`date_bin(${period}, ${after}, timestamptz 'epoch' + ${minutes(atMinute)}) + ${period}`;
}

/** Adds tasks that the database does not know yet, each with its first run. */
export async function addTasks(
  db: Executor,
  tasks: readonly (Schedule & { readonly name: string })[],
): Promise<void> {
  await db
    .insert(schema.scheduledTasks)
    .values(tasks.map((task) => ({ name: task.name, runAt: nextRun(task) })))
    .onConflictDoNothing();
}

/**
 * Claims the task that has been due the longest. A task that the worker holds already is claimed again: the response to
 * its claim, or its end, was lost.
 * @param names tasks to choose from, none of which the worker runs
 */
export async function claimTask(
  db: Executor,
  workerId: string,
  names: readonly ScheduledTask[],
): Promise<TaskClaim | undefined> {
  const [claimed] = await db.execute<{ name: ScheduledTask; attempt: number }>(sql`
    update scheduled_tasks set locked_by = ${workerId}, attempt = attempt + 1
    where name = (
      select name from scheduled_tasks
      where ${inArray(sql`name`, [...names])} and run_at <= now() and (locked_by is null or locked_by = ${workerId})
      order by run_at limit 1 for update skip locked
    )
    returning name, attempt`);
  return claimed && { name: claimed.name, attempt: claimed.attempt, workerId };
}

/** Frees the tasks of workers; they stay due. */
export async function freeTasks(db: Executor, workerIds: readonly string[]): Promise<void> {
  const { scheduledTasks } = schema;
  await db
    .update(scheduledTasks)
    .set({ lockedBy: null })
    .where(inArray(scheduledTasks.lockedBy, [...workerIds]));
}

/**
 * Records the end of a task's run, and reschedules the task: for its next time, or earlier where an outage ended it.
 * @returns false when another worker has claimed the task, or may: then nothing has changed
 */
export async function finishTask(
  db: Db,
  { name, workerId, attempt }: TaskClaim,
  schedule: Schedule,
  { isOutage = false, ...outcome }: Outcome & { readonly isOutage?: boolean },
): Promise<boolean> {
  const { scheduledTasks } = schema;
  const { runAt, lockedBy, failures } = scheduledTasks;
  // A clock that was set back must not bring the same moment twice.
  const next = nextRun(schedule, sql`greatest(now(), ${runAt})`);
  const pause = sql`exp(least(${failures}, 10)) * interval '1 second'`;
  return await db.transaction(async (tx) => {
    const finished = await tx
      .update(scheduledTasks)
      .set({
        lockedBy: null,
        runAt: isOutage ? sql`least(${next}, now() + ${pause})` : next,
        failures: isOutage ? sql`${failures} + 1` : 0,
      })
      .where(and(eq(scheduledTasks.name, name), eq(lockedBy, workerId), eq(scheduledTasks.attempt, attempt)))
      .returning({ name: scheduledTasks.name });
    if (finished.length === 0) return false;
    await recordOutcome(tx, name, outcome);
    return true;
  });
}

/** Lists the last run of each scheduled task. */
export async function listTaskRuns(db: Executor) {
  return await db.select().from(schema.taskRuns).orderBy(schema.taskRuns.name);
}

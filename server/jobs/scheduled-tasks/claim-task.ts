import { inArray, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import type { ScheduledTask } from './record-task-run.ts';

/** Right to run a task, until another worker claims it. */
export interface TaskClaim {
  readonly name: ScheduledTask;
  readonly workerId: string;
  /** Fences the claim. */
  readonly attempt: number;
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

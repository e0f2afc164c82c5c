import { and, eq, sql } from 'drizzle-orm';
import { type Db, schema } from '../../base/database/db.ts';
import type { TaskClaim } from './claim-task.ts';
import { type Outcome, recordOutcome } from './record-task-run.ts';
import { nextRun, type Schedule } from './schedule.ts';

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

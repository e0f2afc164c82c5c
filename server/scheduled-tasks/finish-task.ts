import { and, eq, sql } from 'drizzle-orm';
import { type Db, schema } from '../base/db.ts';
import type { TaskClaim } from './claim-task.ts';
import { type Outcome, recordOutcome } from './record-task-run.ts';
import { nextRun, type Schedule } from './schedule.ts';

/**
 * Records the end of a task's run, and reschedules the task.
 * @returns false when another worker has claimed the task, or may: then nothing has changed
 */
export async function finishTask(
  db: Db,
  { name, workerId, attempt }: TaskClaim,
  schedule: Schedule,
  outcome: Outcome,
): Promise<boolean> {
  const { scheduledTasks } = schema;
  const { runAt, lockedBy } = scheduledTasks;
  return await db.transaction(async (tx) => {
    const finished = await tx
      .update(scheduledTasks)
      // A clock that was set back must not bring the same moment twice.
      .set({ lockedBy: null, runAt: nextRun(schedule, sql`greatest(now(), ${runAt})`) })
      .where(and(eq(scheduledTasks.name, name), eq(lockedBy, workerId), eq(scheduledTasks.attempt, attempt)))
      .returning({ name: scheduledTasks.name });
    if (finished.length === 0) return false;
    await recordOutcome(tx, name, outcome);
    return true;
  });
}

import { sql } from 'drizzle-orm';
import { messageOf } from '../../models/operation/errors.ts';
import { type Executor, schema } from '../base/db.ts';

/** Work of the service that is done again and again, and that an owner wants to see done. */
export type ScheduledTask = 'backup' | 'clean-up' | 'purge' | 'reconcile' | 'end-overdue' | 'top-up';

/** Longest fault that is kept. */
const ERROR_LENGTH_MAX = 500;

/**
 * Does a chore and records its end, in place of the record of its last run.
 * @param work may return a sentence on what it found wrong
 * @throws what the work throws, after it is recorded
 */
export async function recordTaskRun<T>(
  db: Executor,
  name: ScheduledTask,
  work: () => Promise<T>,
  faultOf: (result: T) => string | null = () => null,
): Promise<T> {
  const startedAtMs = performance.now();
  const record = async (fault: string | null): Promise<void> => {
    const { taskRuns } = schema;
    const durationMs = Math.round(performance.now() - startedAtMs);
    const run = { durationMs, fault: fault?.slice(0, ERROR_LENGTH_MAX) ?? null };
    await db
      .insert(taskRuns)
      .values({ name, ...run })
      .onConflictDoUpdate({ target: taskRuns.name, set: { ...run, endedAt: sql`now()` } });
  };
  try {
    const result = await work();
    await record(faultOf(result));
    return result;
  } catch (thrown) {
    // The fault itself says more than one of the record.
    await record(messageOf(thrown)).catch(() => {});
    throw thrown;
  }
}

import { sql } from 'drizzle-orm';
import { getMessage } from '../../../models/core/operation/errors.ts';
import { type Executor, schema } from '../../base/database/db.ts';

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

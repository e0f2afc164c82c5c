import { and, lt, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import type { Attempt } from '../queries/job-row.ts';
import { isNewestAttempt } from './transitions.ts';

/**
 * Records the progress of the attempt. The value a user sees never decreases, even when a new attempt starts over.
 * @param progress 0 to 1
 */
export async function reportProgress(db: Executor, attempt: Attempt, progress: number): Promise<void> {
  await db
    .update(schema.jobs)
    .set({ progress, updatedAt: sql`now()` })
    .where(and(isNewestAttempt(attempt), lt(schema.jobs.progress, progress)));
}

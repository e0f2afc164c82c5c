import { sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/db.ts';
import type { Attempt } from '../queries/job-row.ts';
import { isNewestAttempt } from './fence.ts';

/**
 * Hands back an attempt that an orderly stop aborted, so that it does not count. Only the claimer may call this, and
 * only after its run has ended: nobody may still write under the number that is reused.
 */
export async function releaseAttempt(db: Executor, attempt: Attempt): Promise<void> {
  await db
    .update(schema.jobs)
    .set({ attempt: attempt.attempt - 1, updatedAt: sql`now()` })
    .where(isNewestAttempt(attempt));
}

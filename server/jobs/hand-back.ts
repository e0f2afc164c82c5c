import { sql } from 'drizzle-orm';
import { type Executor, schema } from '../db.ts';
import { isCurrent } from './fence.ts';
import type { Attempt } from './job-row.ts';

/**
 * Gives an attempt back that was broken off by an orderly stop, so that it does not count. Only for whoever claimed
 * it, and only after its run has ended: nobody may still write under the number that is given out again.
 */
export async function handBackJob(db: Executor, attempt: Attempt): Promise<void> {
  await db
    .update(schema.jobs)
    .set({ attempt: attempt.attempt - 1, updatedAt: sql`now()` })
    .where(isCurrent(attempt));
}

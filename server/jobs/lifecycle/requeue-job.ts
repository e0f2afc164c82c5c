import { and, eq, inArray, sql, TransactionRollbackError } from 'drizzle-orm';
import { type Db, type Executor, schema } from '../../base/database/db.ts';
import { endLease, releaseEntry } from '../../base/queue/index.ts';
import type { Attempt } from '../queries/job-row.ts';

/**
 * Gives a job back to the queue that a runner has not ended, for any runner to take. A fenced attempt, whose job may
 * have ended or be another runner's, changes nothing but the entry that the runner still has.
 * @param workerId name under which the runner has taken the entry
 * @param options.isCounted whether the attempt counts: one that an outage or an orderly stop ended does not
 * @param options.hasFailed makes the job wait first, longer after each further failure
 */
export async function requeueJob(
  db: Db,
  attempt: Attempt,
  workerId: string,
  { isCounted, hasFailed }: { readonly isCounted: boolean; readonly hasFailed: boolean },
): Promise<void> {
  if (isCounted) return await releaseEntry(db, attempt.id, workerId, { hasFailed });
  await db.transaction(async (tx) => {
    await uncountAttempt(tx, attempt);
    await releaseEntry(tx, attempt.id, workerId, { hasFailed });
  });
}

/**
 * Gives a job back that its self-hosted worker cannot finish, for others to take at once. The attempt does not count.
 * @returns false when it was given back before, or the lease is no longer this attempt's
 */
export async function requeueOwnJob(db: Db, attempt: Attempt): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      // First, since all transitions lock the job before its entry.
      await uncountAttempt(tx, attempt);
      if (!(await endLease(tx, attempt))) tx.rollback();
    });
    return true;
  } catch (thrown) {
    if (thrown instanceof TransactionRollbackError) return false;
    throw thrown;
  }
}

/** Lets a job wait for another attempt after its self-hosted worker has failed. The attempt counts. */
export async function retryOwnJob(db: Executor, attempt: Attempt): Promise<void> {
  await endLease(db, attempt, { hasFailed: true });
}

/**
 * Makes an attempt not count that an outage or an orderly stop ended. Only its claimer may call this, and once; a later
 * attempt may have begun since. The pause until the next attempt is no time of a run.
 */
export async function uncountAttempt(db: Executor, { id, attempt }: Attempt): Promise<void> {
  const { jobs } = schema;
  await db
    .update(jobs)
    .set({
      uncountedAttempts: sql`least(${jobs.uncountedAttempts} + 1, ${jobs.attempt})`,
      startedAt: sql`case when ${jobs.attempt} > ${attempt}::int then ${jobs.startedAt} end`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(jobs.id, id), inArray(jobs.status, ['QUEUED', 'PROCESSING'])));
}

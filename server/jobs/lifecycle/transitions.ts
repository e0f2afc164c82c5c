import { and, eq, type SQL } from 'drizzle-orm';
import { schema } from '../../base/database/db.ts';
import type { Attempt } from '../queries/job-row.ts';

/*
 * The states of a job are those of `models/core/operation/job.ts`. Each transition is one function of this folder and
 * one transaction, which also holds what follows for the queue entry, the money, the waiters and the webhook: a process
 * that dies leaves the state before or the state after, and another one continues from there.
 *
 * | Function       | From -> to                      | Who                    | Queue entry          | Money
 * |----------------|---------------------------------|------------------------|----------------------|-----------------
 * | submitJob      | -> QUEUED                       | request                | added                | held
 * | claimQueuedJob | QUEUED, PROCESSING -> PROCESSING | runner                | locked               |
 * | claimLeasedJob | QUEUED, PROCESSING -> PROCESSING | self-hosted worker    | leased               |
 * | requeueJob     | PROCESSING                      | runner of the attempt  | unlocked, may pause  |
 * | requeueOwnJob  | PROCESSING                      | worker of the attempt  | unlocked             |
 * | retryOwnJob    | PROCESSING                      | worker of the attempt  | unlocked, pauses     |
 * | queueOutputs   | PROCESSING                      | newest attempt         | moved to `output`    |
 * | completeJob    | PROCESSING -> COMPLETED         | newest attempt         | removed              | captured, rest released
 * | failJob        | PROCESSING -> FAILED, ERROR     | newest attempt         | removed              | released
 * | stopJob        | QUEUED, PROCESSING -> FAILED, ERROR | account, deadline  | removed              | released
 *
 * A claim raises the number of the attempt, which fences all earlier ones: their writes change nothing. Beyond the
 * deadline completeJob moves to ERROR instead. Each end also wakes the waiters and queues the webhook. A job is
 * PROCESSING until its end, also while it waits for another attempt or for the delivery of its outputs.
 *
 * All lock in one order: the job, its queue entry or the key's and account's spending, the wallet. A claim begins at
 * the entry, and therefore waits for neither row.
 */

/** Condition that holds only for the newest attempt of a job that has not ended. */
export function isNewestAttempt({ id, attempt }: Attempt): SQL | undefined {
  const { jobs } = schema;
  return and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, 'PROCESSING'));
}

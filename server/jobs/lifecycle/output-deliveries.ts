import { and, eq, sql } from 'drizzle-orm';
import { type Db, type Executor, schema } from '../../base/database/db.ts';
import { moveEntry } from '../../base/queue/index.ts';
import { findReceiverDomain } from '../../io/webhooks/index.ts';
import type { Attempt, FileRow, JobRow } from '../queries/job-row.ts';
import { withoutSignature } from '../queries/job-view.ts';
import { listOutputFiles } from '../queries/list-outputs.ts';
import { pendingExpiry } from './expiry.ts';
import { type JobResult, resultColumns } from './job-result.ts';
import { isNewestAttempt } from './transitions.ts';

/** Delivery of one file to the client's bucket, as its job stores it. */
export type StoredDelivery = JobRow['outputDeliveries'][number];

/** Returns the delivery of a URL of which nothing has been tried. */
export function newDelivery(url: string): StoredDelivery {
  return { url, status: 'pending', attempts: 0, httpStatus: null, error: null };
}

/** Returns deliveries without the signatures of their URLs, as ended jobs keep them. */
export function withoutSignatures(deliveries: readonly StoredDelivery[]): StoredDelivery[] {
  return deliveries.map((delivery) => ({ ...delivery, url: withoutSignature(delivery.url) }));
}

/** Result that waits for its delivery to the client's bucket. */
export interface QueuedOutputs extends Attempt {
  readonly accountId: string;
  readonly isStored: boolean;
  readonly deliveries: readonly StoredDelivery[];
  /** In the order of the deliveries. */
  readonly files: readonly FileRow[];
  /** Result with which the job completes; its files are those above. */
  readonly result: JobResult;
}

/**
 * Stores the result of a run with its job, and queues its delivery, so that it takes no place of a run. A result
 * without files has those that were recorded before. May be repeated after a lost response.
 * @returns false when a later attempt has fenced this one or the job has ended otherwise: then the result's files
 * belong
 *   to no job
 */
export async function queueOutputs(db: Db, attempt: Attempt, result: JobResult): Promise<boolean> {
  const { jobs, files } = schema;
  return await db.transaction(async (tx) => {
    const [job] = await tx
      .update(jobs)
      .set({
        ...resultColumns(result),
        updatedAt: sql`now()`,
      })
      .where(isNewestAttempt(attempt))
      .returning({ deliveries: jobs.outputDeliveries });
    if (!job) return await isCompletedBy(tx, attempt);
    const shared = { jobId: attempt.id, role: 'output' as const, expiresAt: pendingExpiry() };
    const rows = result.files.map((file, position) => ({ ...file, ...shared, position }));
    if (rows.length > 0) await tx.insert(files).values(rows).onConflictDoNothing();
    const [first] = job.deliveries;
    const host = first ? findReceiverDomain(first.url) : '';
    await moveEntry(tx, { id: attempt.id, lane: 'output', host });
    return true;
  });
}

/** Finds the result of a job that waits for its delivery; undefined when the job has ended. */
export async function findQueuedOutputs(db: Executor, id: string): Promise<QueuedOutputs | undefined> {
  const { jobs } = schema;
  const [job] = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.status, 'PROCESSING')));
  if (!job) return undefined;
  const outputs = await listOutputFiles(db, id);
  const { attempt, accountId, isStored, engine, warnings, details, weights } = job;
  const result = { files: [], engine: engine ?? '', warnings, details, weights } as unknown as JobResult;
  return { id, attempt, accountId, isStored, deliveries: job.outputDeliveries, files: outputs, result };
}

/** Records how far the deliveries of a job are, unless it has ended. */
export async function recordDeliveries(
  db: Executor,
  attempt: Attempt,
  deliveries: readonly StoredDelivery[],
): Promise<void> {
  await db
    .update(schema.jobs)
    .set({ outputDeliveries: [...deliveries], updatedAt: sql`now()` })
    .where(isNewestAttempt(attempt));
}

/** Reports whether an attempt has completed its job. */
export async function isCompletedBy(db: Executor, { id, attempt }: Attempt): Promise<boolean> {
  const { jobs } = schema;
  const isOwn = and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, 'COMPLETED'));
  return (await db.$count(jobs, isOwn)) > 0;
}

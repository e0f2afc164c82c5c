import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Executor, schema } from '../db.ts';
import type { Attempt } from './job-row.ts';

/** What a runner needs to know for one attempt. */
export interface Claim extends Attempt {
  readonly operationId: string;
  readonly params: unknown;
  /** Where the input lies in storage. */
  readonly inputKey: string;
}

/**
 * Takes the job for a new attempt; any earlier attempt that is still at it is fenced out from here on.
 * @returns undefined when the job has ended already
 */
export async function claimJob(db: Executor, id: string): Promise<Claim | undefined> {
  const { jobs, files } = schema;
  const [claim] = await db
    .update(jobs)
    .set({
      status: 'PROCESSING',
      attempt: sql`${jobs.attempt} + 1`,
      startedAt: sql`coalesce(${jobs.startedAt}, now())`,
      updatedAt: sql`now()`,
    })
    .from(files)
    .where(
      and(
        eq(jobs.id, id),
        inArray(jobs.status, ['QUEUED', 'PROCESSING']),
        eq(files.jobId, jobs.id),
        eq(files.role, 'input'),
        eq(files.position, 0),
      ),
    )
    .returning({
      id: jobs.id,
      attempt: jobs.attempt,
      operationId: jobs.operationId,
      params: jobs.params,
      inputKey: files.key,
    });
  return claim;
}

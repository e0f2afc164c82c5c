import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { type Executor, schema } from '../db.ts';
import type { Attempt, GivenFile } from './job-row.ts';

type ClaimedFile = Pick<GivenFile, 'role' | 'position' | 'name' | 'key'>;

/** What a runner needs to know for one attempt. */
export interface Claim extends Attempt {
  readonly operationId: string;
  readonly params: unknown;
  /** About its input, as they were when it was priced. */
  readonly facts: object;
  /** What came with the request, by position. */
  readonly files: readonly ClaimedFile[];
}

/**
 * Takes the job for a new attempt; any earlier attempt that is still at it is fenced out from here on.
 * @returns undefined when the job has ended already
 */
export async function claimJob(db: Executor, id: string): Promise<Claim | undefined> {
  const { jobs } = schema;
  const [claim] = await db
    .update(jobs)
    .set({
      status: 'PROCESSING',
      attempt: sql`${jobs.attempt} + 1`,
      startedAt: sql`coalesce(${jobs.startedAt}, now())`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(jobs.id, id), inArray(jobs.status, ['QUEUED', 'PROCESSING'])))
    .returning({
      id: jobs.id,
      attempt: jobs.attempt,
      operationId: jobs.operationId,
      params: jobs.params,
      facts: jobs.facts,
      files: givenFiles(),
    });
  return claim;
}

function givenFiles(): SQL<ClaimedFile[]> {
  const { jobs, files } = schema;
  return sql`(select coalesce(json_agg(json_build_object('role', role, 'position', position, 'name', name, 'key', key)
    order by role, position), '[]') from ${files} where ${files.jobId} = ${jobs}.id and role <> 'output')`;
}

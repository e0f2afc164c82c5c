import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import type { Attempt, JobRow, RequestFile } from '../queries/job-row.ts';
import { isOverdue } from './deadline.ts';

type ClaimedFile = Pick<RequestFile, 'role' | 'position' | 'name' | 'key'> & {
  /** URL that it was fetched from; null for any other file. */
  readonly sourceUrl: string | null;
};

/** Data that a runner needs for one attempt. */
export interface Claim extends Attempt {
  readonly accountId: string;
  readonly operationId: string;
  readonly isTest: boolean;
  readonly runOn: JobRow['runOn'];
  readonly params: unknown;
  /** Facts about its input, as of pricing. */
  readonly facts: object;
  /** Files of the request, by position. */
  readonly files: readonly ClaimedFile[];
  /** Whether the job is beyond its deadline: then it must not run, but end in ERROR. */
  readonly isOverdue: boolean;
  /** Number of this attempt among those that count, from 1: an outage or an orderly stop excuses one. */
  readonly countedAttempt: number;
  /** Time since the job was accepted in which no runner had it, by the database's clock. */
  readonly waitedSeconds: number;
  readonly acceptedAt: Date;
  /** Seconds since the first attempt that counts began; 0 where no runner holds the job, so that it waits. */
  readonly runSeconds: number;
  /** Whether the result goes to the client's own bucket before the job completes. */
  readonly hasDeliveries: boolean;
  /** Earlier result that the job delivers again in place of a run; null for any other job. */
  readonly cachedResult: JobRow['cachedResult'];
  /** Span that accepted the job, as a W3C traceparent; null without tracing. */
  readonly traceparent: string | null;
}

/**
 * Claims the job for a new attempt; an earlier attempt that is still running is fenced out from here on.
 * @returns undefined when the job has already ended
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
      accountId: jobs.accountId,
      operationId: jobs.operationId,
      isTest: jobs.isTest,
      runOn: jobs.runOn,
      params: jobs.params,
      facts: jobs.facts,
      files: selectRequestFiles(),
      isOverdue: isOverdue(),
      countedAttempt: sql<number>`${jobs.attempt} - ${jobs.excused}`,
      waitedSeconds: selectWaitedSeconds(),
      acceptedAt: jobs.createdAt,
      runSeconds: selectRunSeconds(),
      hasDeliveries: sql<boolean>`${jobs.outputDeliveries} <> '[]'::jsonb`,
      cachedResult: jobs.cachedResult,
      traceparent: jobs.traceparent,
    });
  return claim;
}

function selectRunSeconds(): SQL<number> {
  const { jobs, queueEntries } = schema;
  const isHeld = sql`exists (select from ${queueEntries} where ${queueEntries}.id = ${jobs}.id and locked_by is not null)`;
  // The column holds milliseconds: rounded up, it lies after the transaction that writes it.
  return sql`case when ${isHeld} then greatest(0, extract(epoch from now() - ${jobs.startedAt}))::float8 else 0 end`;
}

function selectWaitedSeconds(): SQL<number> {
  const { jobs, queueEntries } = schema;
  const worked = sql`(select worked_seconds from ${queueEntries} where ${queueEntries}.id = ${jobs}.id)`;
  return sql`(extract(epoch from now() - ${jobs.createdAt}) - coalesce(${worked}, 0))::float8`;
}

function selectRequestFiles(): SQL<ClaimedFile[]> {
  const { jobs, files } = schema;
  return sql`(select coalesce(json_agg(json_build_object('role', role, 'position', position, 'name', name, 'key', key,
      'sourceUrl', source_url)
    order by role, position), '[]') from ${files} where ${files.jobId} = ${jobs}.id and role <> 'output')`;
}

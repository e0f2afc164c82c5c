import { desc, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';

/** Counts of all accounts' jobs, for the operator of the service. */

export interface StatusCount {
  readonly operationId: string;
  readonly status: string;
  readonly jobs: number;
}

/** Counts the jobs of the last 24 hours by operation and status. */
export async function countJobs(db: Executor): Promise<StatusCount[]> {
  return await db.execute<{ operationId: string; status: string; jobs: number }>(
    readOnly(sql`
    select operation_id as "operationId", status, count(*)::int as jobs from jobs
    where created_at > now() - interval '24 hours' group by operation_id, status`),
  );
}

/** Returns the age of the oldest queued job in seconds; 0 when none is queued. */
export async function readOldestQueuedSeconds(db: Executor): Promise<number> {
  const [oldest] = await db.execute<{ seconds: number }>(
    readOnly(sql`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
    from jobs where status = 'QUEUED'`),
  );
  return oldest?.seconds ?? 0;
}

export interface FailureCount {
  readonly operationId: string;
  readonly status: 'FAILED' | 'ERROR';
  /** null for jobs of earlier versions. */
  readonly code: string | null;
  readonly lastHour: number;
  readonly lastDay: number;
}

/**
 * Counts the jobs that ended without a result in the last day, most frequent first. Cancelled ones are left out, and
 * those of test keys, which fail on demand, and those on machines of accounts.
 */
export async function countFailures(db: Executor): Promise<FailureCount[]> {
  type Row = Omit<FailureCount, 'status'> & { status: 'FAILED' | 'ERROR' };
  return await db.execute<Row & Record<string, unknown>>(
    readOnly(sql`
    select operation_id as "operationId", status, error_code as code,
      count(*) filter (where completed_at > now() - interval '1 hour')::int as "lastHour", count(*)::int as "lastDay"
    from jobs
    where status in ('FAILED', 'ERROR') and completed_at > now() - interval '24 hours'
      and error_code is distinct from 'canceled' and not is_test and run_on = 'service'
    group by 1, 2, 3 order by "lastDay" desc, 1, 2, 3`),
  );
}

/**
 * Lists running jobs, those that started last first, with the attempts that count: neither an outage nor an own machine
 * that gave the job back uses one up.
 */
export async function listRunning(db: Executor, limit: number) {
  const { jobs } = schema;
  const { id, operationId, progress, startedAt } = jobs;
  const attempt = sql<number>`greatest(1, ${jobs.attempt} - ${jobs.uncountedAttempts})`;
  return await db
    .select({ id, operationId, attempt, progress, startedAt })
    .from(jobs)
    // In words of SQL: a prepared statement that has the state as a value uses no index of unfinished jobs.
    .where(sql`${jobs.status} = 'PROCESSING'`)
    .orderBy(desc(startedAt))
    .limit(limit);
}

/** Sums the files that the store holds for jobs and uploads, in bytes. */
export async function sumStored(db: Executor): Promise<{ files: number; bytes: number }> {
  const [row] = await db.execute<{ files: number; bytes: number }>(
    readOnly(sql`
    with stored as (
      select bytes from files where deleted_at is null union all select bytes from uploads
    )
    select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from stored`),
  );
  return row ?? { files: 0, bytes: 0 };
}

import { desc, eq, sql } from 'drizzle-orm';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';

/** Latest jobs of the service that are looked at: a bound on the time of the look-up. */
const JOBS_READ = 5_000;

/** Fewer runs give no estimate. */
const RUNS_MIN = 3;

/** Counts the jobs of the last 24 hours by operation and status. */
export async function countJobs(db: Executor) {
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

type FailureCount = {
  readonly operationId: string;
  readonly status: 'FAILED' | 'ERROR';
  /** null for jobs of earlier versions. */
  readonly code: string | null;
  readonly lastHour: number;
  readonly lastDay: number;
};

/**
 * Counts the jobs that ended without a result in the last day, most frequent first. Cancelled ones are left out, and
 * those of test keys, which fail on demand, and those on machines of accounts.
 */
export async function countFailures(db: Executor): Promise<FailureCount[]> {
  return await db.execute<FailureCount>(
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
      select bytes from files where deleted_at is null union all select bytes from uploads where deleted_at is null
    )
    select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from stored`),
  );
  return row ?? { files: 0, bytes: 0 };
}

/**
 * Estimates the run time of a job: the median time per price of the operation's latest runs, times its price. Prices
 * grow with the pixels or seconds of the input, as run times do.
 * @returns seconds; null while too few have run, and for a free run, of which the price tells nothing
 */
export async function expectedRunSeconds(
  db: Executor,
  { operationId, price }: { operationId: string; price: MicroUsd },
): Promise<number | null> {
  if (price === 0n) return null;
  const [row] = await db.execute<{ runs: number; seconds: number | null }>(
    readOnly(sql`
    with latest as (
      select operation_id, status, started_at, completed_at, charged_micro_usd as charged
      from jobs order by created_at desc limit ${JOBS_READ}
    )
    select count(*)::int as runs,
      (percentile_cont(0.5) within group (order by extract(epoch from completed_at - started_at) / charged)
        * ${price}::bigint)::float8 as seconds
    from latest where operation_id = ${operationId} and status = 'COMPLETED' and charged > 0`),
  );
  if (!row || row.runs < RUNS_MIN || row.seconds === null) return null;
  return Math.round(row.seconds * 10) / 10;
}

/** Returns a text that changes with an account's latest jobs. Cheap enough to be asked every second. */
export async function readJobActivity(db: Executor, accountId: string): Promise<string> {
  const { jobs } = schema;
  const latest = db
    .select({ updatedAt: jobs.updatedAt, progress: jobs.progress })
    .from(jobs)
    .where(eq(jobs.accountId, accountId))
    .orderBy(sql`${jobs.createdAt} desc nulls last`, sql`${jobs.id} desc nulls last`)
    .limit(100)
    .as('latest');
  const [row] = await db
    .select({
      activity: sql<string>`concat(count(*), ' ', max(${latest.updatedAt}), ' ', sum(${latest.progress}))`,
    })
    .from(latest);
  return row?.activity ?? '';
}

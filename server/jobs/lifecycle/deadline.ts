import { gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../base/database/db.ts';
import type { JobRow } from '../queries/job-row.ts';
import type { Failure } from './end-job.ts';

/** Failure of a job that no machine of its account took for JOB_DEADLINE_HOURS. */
const NO_WORKER: Failure = {
  status: 'ERROR',
  message: 'No worker of this account took this job in time. Start "darkroom worker", and send it again.',
  code: 'unavailable',
};

/** Failure of a job whose last attempt a machine of its account has left without a report. */
export const LEFT_TOO_OFTEN: Failure = {
  status: 'ERROR',
  message: 'The workers of this account left the job too often without a result. Look at their logs.',
  code: 'interrupted',
};

/** Returns the failure of a job that has waited for too long for a machine to run it. */
export function describeLongWait({ runOn }: { readonly runOn: JobRow['runOn'] }): Failure {
  return runOn === 'own' ? NO_WORKER : WAITED_TOO_LONG;
}

/** Message for a result that comes after its job's deadline, or not at all. */
export const DEADLINE_EXCEEDED = 'The result did not come in time. Nothing was charged; try again.';

/** Failure of a job that no runner could run for JOB_DEADLINE_HOURS. */
const WAITED_TOO_LONG: Failure = {
  status: 'ERROR',
  message: 'The service could not run this job for too long. Nothing was charged; try again.',
  code: 'unavailable',
};

/** Failure of a job whose result no client waits for any more. */
export const OVERDUE: Failure = { status: 'ERROR', message: DEADLINE_EXCEEDED, code: 'timeout' };

const { deadlineAt } = schema.jobs;

/** Condition that holds for a job whose result a client may still receive, by the database's clock. */
export function isBeforeDeadline(): SQL | undefined {
  return or(isNull(deadlineAt), gt(deadlineAt, sql`now()`));
}

/** Expression that is true for a job beyond its deadline. */
export function isOverdue(): SQL<boolean> {
  return sql<boolean>`coalesce(${lte(deadlineAt, sql`now()`)}, false)`;
}

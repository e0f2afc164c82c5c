import { and, eq, type SQL } from 'drizzle-orm';
import { schema } from '../../base/database/db.ts';
import type { Attempt } from '../queries/job-row.ts';

/** Condition that holds only for the newest attempt of a job that has not ended. */
export function isNewestAttempt({ id, attempt }: Attempt): SQL | undefined {
  const { jobs } = schema;
  return and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, 'PROCESSING'));
}

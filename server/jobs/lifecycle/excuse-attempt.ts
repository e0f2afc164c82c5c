import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import type { Attempt } from '../queries/job-row.ts';

/**
 * Excuses an attempt that an outage or an orderly stop ended, so that it does not count. Only its claimer may call
 * this, and once; a later attempt may have begun meanwhile. The pause until the next attempt is no time of a run.
 */
export async function excuseAttempt(db: Executor, { id, attempt }: Attempt): Promise<void> {
  const { jobs } = schema;
  await db
    .update(jobs)
    .set({
      excused: sql`least(${jobs.excused} + 1, ${jobs.attempt})`,
      startedAt: sql`case when ${jobs.attempt} > ${attempt}::int then ${jobs.startedAt} end`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(jobs.id, id), inArray(jobs.status, ['QUEUED', 'PROCESSING'])));
}

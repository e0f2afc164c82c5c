import { and, eq, inArray } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import type { Attempt } from '../queries/job-row.ts';

/** Returns those of the attempts whose job has ended or has been claimed again: their results would be thrown away. */
export async function listFencedAttempts<TAttempt extends Attempt>(
  db: Executor,
  attempts: readonly TAttempt[],
): Promise<TAttempt[]> {
  if (attempts.length === 0) return [];
  const { jobs } = schema;
  const ids = attempts.map(({ id }) => id);
  const rows = await db
    .select({ id: jobs.id, attempt: jobs.attempt })
    .from(jobs)
    .where(and(inArray(jobs.id, ids), eq(jobs.status, 'PROCESSING')));
  const current = new Map(rows.map(({ id, attempt }) => [id, attempt]));
  return attempts.filter(({ id, attempt }) => current.get(id) !== attempt);
}

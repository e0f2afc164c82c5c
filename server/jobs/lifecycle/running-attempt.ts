import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import type { Attempt } from '../queries/job-row.ts';
import { isNewestAttempt } from './transitions.ts';

/** Facts of a job that the limits of its run depend on. */
interface RunDescription {
  readonly operationId: string;
  readonly isTest: boolean;
  readonly params: unknown;
  /** Facts about its input, as of pricing. */
  readonly facts: object;
}

/**
 * Records the progress of the attempt. The value a user sees never decreases, even when a new attempt starts over.
 * @param progress 0 to 1
 */
export async function reportProgress(db: Executor, attempt: Attempt, progress: number): Promise<void> {
  await db
    .update(schema.jobs)
    .set({ progress, updatedAt: sql`now()` })
    .where(and(isNewestAttempt(attempt), lt(schema.jobs.progress, progress)));
}

/** Makes a job that was accepted with an earlier result one that runs. Its price stays. */
export async function forgetCachedResult(db: Executor, attempt: Attempt): Promise<void> {
  await db.update(schema.jobs).set({ cachedResult: null }).where(isNewestAttempt(attempt));
}

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

/** Returns a description of a job's run without claiming it; undefined when there is no such job. */
export async function findRunDescription(db: Executor, id: string): Promise<RunDescription | undefined> {
  const { operationId, isTest, params, facts } = schema.jobs;
  const [run] = await db
    .select({ operationId, isTest, params, facts })
    .from(schema.jobs)
    .where(eq(schema.jobs.id, id));
  return run;
}

import { eq } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';

/** Facts of a job that the limits of its run depend on. */
export interface RunDescription {
  readonly operationId: string;
  readonly isTest: boolean;
  readonly params: unknown;
  /** Facts about its input, as of pricing. */
  readonly facts: object;
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

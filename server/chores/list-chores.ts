import { type Executor, schema } from '../db.ts';

/** Lists the last run of each chore. */
export async function listChores(db: Executor) {
  return await db.select().from(schema.choreRuns).orderBy(schema.choreRuns.name);
}

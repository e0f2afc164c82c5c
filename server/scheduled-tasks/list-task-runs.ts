import { type Executor, schema } from '../base/db.ts';

/** Lists the last run of each chore. */
export async function listTaskRuns(db: Executor) {
  return await db.select().from(schema.taskRuns).orderBy(schema.taskRuns.name);
}

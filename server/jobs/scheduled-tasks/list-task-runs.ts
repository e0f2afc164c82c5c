import { type Executor, schema } from '../../base/database/db.ts';

/** Lists the last run of each scheduled task. */
export async function listTaskRuns(db: Executor) {
  return await db.select().from(schema.taskRuns).orderBy(schema.taskRuns.name);
}

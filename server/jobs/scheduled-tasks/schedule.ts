import { type SQL, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';

/** Regular moments, such as minute 7 of each hour. */
export interface Schedule {
  /** Divides an hour. */
  readonly everyMinutes: number;
  /** First moment of each hour; its start when absent. */
  readonly atMinute?: number;
}

/** Returns the first moment of a schedule after another one. Clocks of runners differ: only the database's counts. */
export function nextRun({ everyMinutes, atMinute = 0 }: Schedule, after: SQL = sql`now()`): SQL {
  const minutes = (count: number) => sql`${count}::int * interval '1 minute'`;
  const period = minutes(everyMinutes);
  return sql`date_bin(${period}, ${after}, timestamptz 'epoch' + ${minutes(atMinute)}) + ${period}`;
}

/** Adds tasks that the database does not know yet, each with its first run. */
export async function addTasks(
  db: Executor,
  tasks: readonly (Schedule & { readonly name: string })[],
): Promise<void> {
  await db
    .insert(schema.scheduledTasks)
    .values(tasks.map((task) => ({ name: task.name, runAt: nextRun(task) })))
    .onConflictDoNothing();
}

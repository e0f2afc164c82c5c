import { eq, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';

/** Returns a text that changes with an account's latest jobs. Cheap enough to be asked every second. */
export async function readJobActivity(db: Executor, accountId: string): Promise<string> {
  const { jobs } = schema;
  const latest = db
    .select({ updatedAt: jobs.updatedAt, progress: jobs.progress })
    .from(jobs)
    .where(eq(jobs.accountId, accountId))
    .orderBy(sql`${jobs.createdAt} desc nulls last`, sql`${jobs.id} desc nulls last`)
    .limit(100)
    .as('latest');
  const [row] = await db
    .select({
      activity: sql<string>`concat(count(*), ' ', max(${latest.updatedAt}), ' ', sum(${latest.progress}))`,
    })
    .from(latest);
  return row?.activity ?? '';
}

import { inArray, sql } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';
import { PURGE_BATCH_ROWS, purgeInBatches } from '../../base/database/queries.ts';

/**
 * Deletes requests that came more than REQUEST_LOG_DAYS ago.
 * @returns how many
 */
export async function purgeLoggedRequests({ db, env }: Pick<Context, 'db' | 'env'>): Promise<number> {
  const { loggedRequests } = schema;
  const due = db
    .select({ id: loggedRequests.id })
    .from(loggedRequests)
    .where(sql`${loggedRequests.createdAt} < now() - ${env.REQUEST_LOG_DAYS} * interval '1 day'`)
    .limit(PURGE_BATCH_ROWS);
  return await purgeInBatches(async () => {
    const gone = await db
      .delete(loggedRequests)
      .where(inArray(loggedRequests.id, due))
      .returning({ id: loggedRequests.id });
    return gone.length;
  });
}

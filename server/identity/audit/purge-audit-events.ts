import { inArray, sql } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';
import { PURGE_BATCH_ROWS, purgeInBatches } from '../../base/database/queries.ts';

const KEPT_DAYS = 365;

/**
 * Deletes what people did over a year ago.
 * @returns how many entries
 */
export async function purgeAuditEvents({ db }: Pick<Context, 'db'>): Promise<number> {
  const { auditEvents } = schema;
  const due = db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(sql`${auditEvents.createdAt} < now() - ${KEPT_DAYS} * interval '1 day'`)
    .limit(PURGE_BATCH_ROWS);
  return await purgeInBatches(async () => {
    const gone = await db
      .delete(auditEvents)
      .where(inArray(auditEvents.id, due))
      .returning({ id: auditEvents.id });
    return gone.length;
  });
}

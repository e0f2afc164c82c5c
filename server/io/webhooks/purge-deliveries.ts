import { and, asc, inArray, lt, ne, sql } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';
import { PURGE_BATCH_ROWS, purgeInBatches } from '../../base/database/purge-in-steps.ts';

/**
 * Deletes finished deliveries that were made more than DELIVERY_RETENTION_DAYS ago, with their attempts.
 * @returns how many
 */
export async function purgeDeliveries({ db, env }: Context): Promise<number> {
  const { deliveries, deliveryAttempts } = schema;
  const before = sql`now() - ${env.DELIVERY_RETENTION_DAYS} * interval '1 day'`;
  return await purgeInBatches(() =>
    db.transaction(async (tx) => {
      const due = await tx
        .select({ id: deliveries.id })
        .from(deliveries)
        .where(and(lt(deliveries.createdAt, before), ne(deliveries.state, 'pending')))
        .orderBy(asc(deliveries.createdAt))
        .limit(PURGE_BATCH_ROWS)
        .for('update', { skipLocked: true });
      const ids = due.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await tx.delete(deliveryAttempts).where(inArray(deliveryAttempts.deliveryId, ids));
      await tx.delete(deliveries).where(inArray(deliveries.id, ids));
      return ids.length;
    }),
  );
}

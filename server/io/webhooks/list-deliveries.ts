import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';

const { deliveries, deliveryAttempts } = schema;

/** Attempts that a list shows of each delivery: one may be sent again without end. */
const ATTEMPTS_SHOWN = 10;

export type DeliveryLog = Omit<typeof deliveries.$inferSelect, 'attempts'> & {
  /** The latest 10, oldest first. */
  readonly attempts: readonly (typeof deliveryAttempts.$inferSelect)[];
};

/**
 * Lists an account's deliveries with their latest attempts, newest first.
 * @param filter.reference only those about this request_id
 * @param filter.limit 1 to 1000, default 100
 */
export async function listDeliveries(
  db: Executor,
  { accountId, reference, limit = 100 }: { accountId: string; reference?: string; limit?: number },
): Promise<DeliveryLog[]> {
  const rows = await db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.accountId, accountId),
        reference === undefined ? undefined : eq(deliveries.reference, reference),
      ),
    )
    .orderBy(desc(deliveries.createdAt))
    .limit(limit);
  return await withAttempts(db, rows);
}

/** Adds their latest attempts to deliveries. */
export async function withAttempts(
  db: Executor,
  rows: readonly (typeof deliveries.$inferSelect)[],
): Promise<DeliveryLog[]> {
  const ids = rows.map((row) => row.id);
  const isLate = sql`${deliveryAttempts.attempt} > (
    select max(attempt) from webhook_delivery_attempts latest where latest.delivery_id = ${deliveryAttempts.deliveryId}
  ) - ${ATTEMPTS_SHOWN}`;
  const made = await db
    .select()
    .from(deliveryAttempts)
    .where(and(inArray(deliveryAttempts.deliveryId, ids), isLate))
    .orderBy(asc(deliveryAttempts.attempt));
  return rows.map((row) => ({ ...row, attempts: made.filter(({ deliveryId }) => deliveryId === row.id) }));
}

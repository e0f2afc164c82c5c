import { and, eq, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import { type DeliveryLog, withAttempts } from './list-deliveries.ts';

/** Delivery after which a page of deliveries starts. */
export interface DeliveryCursor {
  readonly createdAt: Date;
  readonly id: string;
}

/**
 * Lists an account's deliveries with every attempt, newest first, by keyset.
 * @param query.limit 1 to 100
 * @returns `next`, where the following page starts; null after the last one
 */
export async function listDeliveryPage(
  db: Executor,
  { accountId, after, limit }: { accountId: string; after?: DeliveryCursor | undefined; limit: number },
): Promise<{ deliveries: DeliveryLog[]; next: DeliveryCursor | null }> {
  const { deliveries } = schema;
  const { createdAt, id } = deliveries;
  const isOlder =
    after && sql`(${createdAt}, ${id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
  const rows = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.accountId, accountId), isOlder))
    .orderBy(sql`${createdAt} desc nulls last`, sql`${id} desc nulls last`)
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    deliveries: await withAttempts(db, page),
    next: last && rows.length > limit ? { createdAt: last.createdAt, id: last.id } : null,
  };
}

/** Returns what changes with an account's latest deliveries. */
export async function readDeliveryActivity(db: Executor, accountId: string): Promise<string> {
  const { deliveries } = schema;
  const latest = db
    .select({ attempts: deliveries.attempts, state: deliveries.state })
    .from(deliveries)
    .where(eq(deliveries.accountId, accountId))
    .orderBy(sql`${deliveries.createdAt} desc nulls last`, sql`${deliveries.id} desc nulls last`)
    .limit(50)
    .as('latest');
  const [row] = await db
    .select({
      activity: sql<string>`concat(count(*), ' ', sum(${latest.attempts}), ' ', string_agg(${latest.state}::text, ''))`,
    })
    .from(latest);
  return row?.activity ?? '';
}

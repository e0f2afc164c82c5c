import { and, asc, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { cutPage, isOlder, newestFirst, type TimeCursor } from '../../base/database/cursor.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { PURGE_BATCH_ROWS, purgeInBatches } from '../../base/database/queries.ts';
import { readOnly } from '../../base/database/read-only.ts';
import { queueAttempt } from './queue-attempt.ts';

type FailingHost = {
  readonly host: string;
  /** Deliveries that are tried again. */
  readonly pending: number;
  /** Deliveries that were given up. */
  readonly failed: number;
  /** HTTP status or error of the latest attempt at one of them; null when it is no longer known. */
  readonly lastFault: string | null;
};

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

/** Returns the bytes of a delivery; undefined where there is none. */
export async function readDeliveryBody(db: Executor, id: string): Promise<string | undefined> {
  const [found] = await db.select({ body: deliveries.body }).from(deliveries).where(eq(deliveries.id, id));
  return found?.body;
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

/**
 * Lists an account's deliveries with every attempt, newest first, by keyset.
 * @param query.limit 1 to 100
 * @returns `next`, where the following page starts; null after the last one
 */
export async function listDeliveryPage(
  db: Executor,
  { accountId, after, limit }: { accountId: string; after?: TimeCursor | undefined; limit: number },
): Promise<{ deliveries: DeliveryLog[]; next: TimeCursor | null }> {
  const rows = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.accountId, accountId), isOlder(deliveries, after)))
    .orderBy(...newestFirst(deliveries))
    .limit(limit + 1);
  const { page, next } = cutPage(rows, limit, ({ id }) => id);
  return { deliveries: await withAttempts(db, page), next };
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

/**
 * Sends a delivery again at once, whatever its state: the same bytes under the same `webhook-id`.
 * @throws OperationError `not_found`, also for another account's delivery
 */
export async function resendDelivery(
  ctx: Context,
  { accountId, deliveryId }: { accountId: string; deliveryId: string },
): Promise<void> {
  const { deliveries } = schema;
  await ctx.db.transaction(async (tx) => {
    const [found] = z.uuid().safeParse(deliveryId).success
      ? await tx
          .update(deliveries)
          .set({ state: 'pending', nextAttemptAt: sql`now()` })
          .where(and(eq(deliveries.id, deliveryId), eq(deliveries.accountId, accountId)))
          .returning()
      : [];
    if (!found) throw new OperationError('not_found', `There is no webhook delivery "${deliveryId}".`);
    await queueAttempt(tx, found);
  });
}

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

type DeliveryCount = {
  readonly state: string;
  readonly deliveries: number;
  /** Deliveries with a failed attempt, and none that succeeded. They are given up after days. */
  readonly failing: number;
};

/** Counts all accounts' deliveries of the last 24 hours by state. */
export async function countDeliveries(db: Executor): Promise<DeliveryCount[]> {
  return await db.execute<DeliveryCount>(
    readOnly(sql`
    select state, count(*)::int as deliveries,
      count(*) filter (where state = 'failed' or (state = 'pending' and attempts > 0))::int as failing
    from webhook_deliveries where created_at > now() - interval '24 hours' group by state`),
  );
}

/** Lists the hosts to which deliveries of the last 24 hours fail, those with the most first. */
export async function listFailingHosts(db: Executor, limit: number): Promise<FailingHost[]> {
  return await db.execute<FailingHost>(
    readOnly(sql`
    with failing as (
      select id, state, substring(url from '^[a-z]+://(?:[^/?#]*@)?([^/?#]*)') as host from webhook_deliveries
      where created_at > now() - interval '24 hours' and (state = 'failed' or (state = 'pending' and attempts > 0))
    ),
    hosts as (
      select host, count(*) filter (where state = 'pending')::int as pending,
        count(*) filter (where state = 'failed')::int as failed
      from failing group by host order by count(*) desc, host limit ${limit}
    )
    select host, pending, failed, (
      select coalesce(error, 'HTTP ' || response_status) from webhook_delivery_attempts a
      join failing f on f.id = a.delivery_id where f.host = hosts.host order by a.at desc limit 1
    ) as "lastFault"
    from hosts order by pending + failed desc, host`),
  );
}

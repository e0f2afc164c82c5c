import { lt, sql } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';

/** Stripe sends an event again for 3 days, and by hand for 30. */
const KEEP_DAYS = 60;

/** Deletes the notes of events that can no longer come again. */
export async function purgeEvents({ db }: Context): Promise<void> {
  const { paymentEvents } = schema;
  const oldest = sql`now() - make_interval(days => ${KEEP_DAYS})`;
  await db.delete(paymentEvents).where(lt(paymentEvents.receivedAt, oldest));
}

import { eq, sql } from 'drizzle-orm';
import { type Executor, schema } from '../db.ts';

/** Payments that a page shows: older ones are in the ledger. */
const SHOWN_MAX = 50;

/** Lists an account's latest payments, newest first. */
export async function listPayments(db: Executor, accountId: string) {
  const { payments } = schema;
  return await db
    .select()
    .from(payments)
    .where(eq(payments.accountId, accountId))
    .orderBy(sql`${payments.createdAt} desc nulls last`, sql`${payments.id} desc nulls last`)
    .limit(SHOWN_MAX);
}

import { and, eq, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';

type Payment = typeof schema.payments.$inferSelect;

/** Payment after which a page of payments starts. */
export type PaymentCursor = Pick<Payment, 'createdAt' | 'id'>;

interface PaymentQuery {
  readonly accountId: string;
  readonly after?: PaymentCursor | undefined;
  /** 1 to 1000 */
  readonly limit: number;
}

/**
 * Lists an account's payments, newest first, by keyset.
 * @returns `next`, where the following page starts; null after the last one
 */
export async function listPayments(
  db: Executor,
  { accountId, after, limit }: PaymentQuery,
): Promise<{ payments: Payment[]; next: PaymentCursor | null }> {
  const { payments } = schema;
  const { createdAt, id } = payments;
  const isOlder =
    after && sql`(${createdAt}, ${id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id})`;
  const rows = await db
    .select()
    .from(payments)
    .where(and(eq(payments.accountId, accountId), isOlder))
    .orderBy(sql`${createdAt} desc nulls last`, sql`${id} desc nulls last`)
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    payments: page,
    next: last && rows.length > limit ? { createdAt: last.createdAt, id: last.id } : null,
  };
}

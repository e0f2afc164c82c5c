import { and, eq, ne, sql } from 'drizzle-orm';
import type { Context } from '../../base/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';
import { reverseTopUp, topUp } from '../wallet/index.ts';

/**
 * Credits what is due of an account's payments, and then takes back what no longer is. What the wallet has spent
 * already stays owed: the next credit, or the end of a hold, pays it. The account's payments must be locked.
 */
export async function settlePayments(tx: Tx, accountId: string): Promise<void> {
  const { payments } = schema;
  const unsettled = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.accountId, accountId), ne(payments.due, payments.credited)))
    .orderBy(sql`${payments.due} > ${payments.credited} desc`, payments.createdAt, payments.id);
  for (const { id, due, credited, transferCount } of unsettled) {
    const movement = { accountId, idempotencyKey: `stripe:${id}:${transferCount}`, reference: id };
    const change = due - credited;
    if (change > 0n) await topUp(tx, { ...movement, amount: change });
    const moved = change > 0n ? change : -(await reverseTopUp(tx, { ...movement, amountMax: -change }));
    if (moved === 0n) continue;
    await tx
      .update(payments)
      .set({ credited: credited + moved, transferCount: transferCount + 1 })
      .where(eq(payments.id, id));
  }
}

/** Locks an account's payments until the transaction ends. */
export async function lockPayments(tx: Tx, accountId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payments ${accountId}`}, 0))`);
}

/**
 * Takes back what refunds and disputes still owe, wherever a wallet can give it now. @returns the number of accounts
 */
export async function retryOutstandingRefunds({ db }: Context): Promise<number> {
  const owing = await db.execute<{ accountId: string }>(
    readOnly(sql`
    select distinct payments.account_id as "accountId" from payments
      join ledger_accounts wallet on wallet.owner_id = payments.account_id
    where due_micro_usd <> credited_micro_usd and balance_micro_usd > held_micro_usd`),
  );
  for (const { accountId } of owing) {
    await db.transaction(async (tx) => {
      await lockPayments(tx, accountId);
      await settlePayments(tx, accountId);
    });
  }
  return owing.length;
}

import { sql } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { readOnly } from '../../base/database/read-only.ts';
import { lockPayments, settlePayments } from './settle-payments.ts';

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

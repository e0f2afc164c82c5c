import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { Executor } from '../../base/database/db.ts';

export interface FreeCredit {
  readonly accountId: string;
  /** Above 0. */
  readonly amount: MicroUsd;
  /** Identity of the person, who gets it once, with however many accounts. */
  readonly recipient: string;
}

/**
 * Credits a new account out of the service's revenue: once for an account, and once for a recipient.
 * @returns whether it was credited now
 * @throws OperationError `bad_request` for an amount that is not above 0
 */
export async function grantFreeCredit(
  db: Executor,
  { accountId, amount, recipient }: FreeCredit,
): Promise<boolean> {
  if (amount <= 0n) throw new OperationError('bad_request', 'amount: must be above 0.');
  const written = await db.execute(sql`
    with wallet as (
      select id from ledger_accounts where owner_id = ${accountId}
    ), transfer as (
      insert into transfers (id, kind, idempotency_key, reference)
      select ${randomUUID()}::uuid, 'free_credit', ${`free_credit:${recipient}`}, 'new account' from wallet
      where not exists (
        select 1 from entries join transfers on transfers.id = transfer_id
        where ledger_account_id = wallet.id and amount_micro_usd > 0 and kind = 'free_credit')
      on conflict (idempotency_key) do nothing
      returning id
    )
    insert into entries (transfer_id, ledger_account_id, amount_micro_usd)
    select transfer.id, wallet.id, ${amount}::bigint from transfer, wallet
    union all
    select transfer.id, house.id, -${amount}::bigint
      from transfer, ledger_accounts house where house.kind = 'revenue' and house.owner_id is null
    returning id`);
  return written.length > 0;
}

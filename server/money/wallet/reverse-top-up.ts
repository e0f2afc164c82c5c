import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { Executor } from '../../base/database/db.ts';

export interface TopUpReversal {
  readonly accountId: string;
  /** Above 0. */
  readonly amountMax: MicroUsd;
  /** Key of the movement: it is made once, however often it is requested. */
  readonly idempotencyKey: string;
  readonly reference: string;
}

/**
 * Takes back money that came from outside, as after a refund. Held money stays.
 * @returns the amount taken: at most what is available; 0 when nothing is, or when the key was used before
 */
export async function reverseTopUp(
  db: Executor,
  { accountId, amountMax, idempotencyKey, reference }: TopUpReversal,
): Promise<MicroUsd> {
  if (amountMax <= 0n) throw new OperationError('bad_request', 'amount: must be above 0.');
  const transferId = randomUUID();
  const [taken] = await db.execute<{ amount: string }>(sql`
    with wallet as (
      select id, least(balance_micro_usd - held_micro_usd, ${amountMax}::bigint) as amount from ledger_accounts
      where owner_id = ${accountId} for no key update
    ), transfer as (
      insert into transfers (id, kind, idempotency_key, reference)
      select ${transferId}::uuid, 'adjustment', ${`take_back:${idempotencyKey}`}, ${reference}
      from wallet where amount > 0
      on conflict (idempotency_key) do nothing
      returning id
    ), entry as (
      insert into entries (transfer_id, ledger_account_id, amount_micro_usd)
      select transfer.id, wallet.id, -wallet.amount from transfer, wallet
      union all
      select transfer.id, house.id, wallet.amount
        from transfer, wallet, ledger_accounts house where house.kind = 'funding' and house.owner_id is null
      returning 1
    )
    select wallet.amount::text as amount from transfer, wallet where exists (select 1 from entry)`);
  return taken ? BigInt(taken.amount) : 0n;
}

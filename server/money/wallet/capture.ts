import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { Executor } from '../../base/database/db.ts';

/**
 * Captures held money: moves `amount` from the wallet to the service and frees the rest of the hold.
 * @param charge.amount above 0, at most the held amount
 * @param charge.category what was paid for, by which the owner can filter the entries
 * @throws OperationError `conflict` when there is no open hold of at least that amount
 */
export async function capture(
  db: Executor,
  { reference, amount, category = null }: { reference: string; amount: MicroUsd; category?: string | null },
): Promise<void> {
  if (amount <= 0n) throw new OperationError('bad_request', 'amount: must be above 0.');
  const transferId = randomUUID();
  // Each part reads from the one before, so the hold is released before the balance falls: never held > balance.
  const written = await db.execute(sql`
    with hold as (
      update holds set state = 'captured', settled_at = now(), transfer_id = ${transferId}
      where reference = ${reference} and state = 'open' and amount_micro_usd >= ${amount}
      returning ledger_account_id, transfer_id
    ), transfer as (
      insert into transfers (id, kind, idempotency_key, reference)
      select transfer_id, 'capture', ${`capture:${reference}`}, ${reference} from hold
      returning id
    )
    insert into entries (transfer_id, ledger_account_id, amount_micro_usd, category)
    select transfer.id, hold.ledger_account_id, -${amount}::bigint, ${category}::text from transfer, hold
    union all
    select transfer.id, house.id, ${amount}::bigint, null
      from transfer, ledger_accounts house where house.kind = 'revenue' and house.owner_id is null
    returning id`);
  if (written.length > 0) return;
  throw new OperationError('conflict', `${reference} has no open hold of at least the amount to capture.`);
}

import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import type { Executor } from '../../base/database/db.ts';

export interface Hold {
  readonly accountId: string;
  /** Above 0. */
  readonly amount: MicroUsd;
  /** Purpose of the hold, such as a request_id. One hold each, for ever. */
  readonly reference: string;
}

/**
 * Returns the write that reserves money, so that nothing else can spend it. It returns no row where the wallet has too
 * little, and fails on `holds_reference_unique` when the reference has a hold already. The wallet stays locked until
 * the transaction ends.
 * @param condition of the hold
 */
export function holding({ accountId, amount, reference }: Hold, condition: SQL = sql`true`): SQL {
  return sql`
    insert into holds (ledger_account_id, amount_micro_usd, reference)
    select id, ${amount}::bigint, ${reference} from ledger_accounts
    where owner_id = ${accountId} and balance_micro_usd - held_micro_usd >= ${amount}::bigint and ${condition}
    for no key update
    returning id`;
}

export function insufficientBalance(amount: MicroUsd): OperationError {
  return new OperationError(
    'insufficient_balance',
    `The wallet balance is too low: this needs ${formatUsd(amount)} USD. Top up the wallet and try again.`,
  );
}

export interface Capture {
  /** Reference of the hold. */
  readonly reference: string;
  /** Above 0, at most the held amount. */
  readonly amount: MicroUsd;
  /** Kind of what was paid for, by which the owner can filter the entries. */
  readonly category?: string | null;
}

/**
 * Returns the parts of a statement that capture held money: they move `amount` from the wallet to the service and free
 * the rest of the hold. The last of them, `captured`, is empty where there is no open hold of at least that amount.
 * @param condition of the capture
 */
export function capturing({ reference, amount, category = null }: Capture, condition: SQL = sql`true`): SQL {
  if (amount <= 0n) throw new OperationError('bad_request', 'amount: must be above 0.');
  const transferId = randomUUID();
  // Each part reads from the one before, so the hold is released before the balance falls: never held > balance.
  return sql`hold as (
      update holds set state = 'captured', settled_at = now(), transfer_id = ${transferId}
      where reference = ${reference} and state = 'open' and amount_micro_usd >= ${amount} and ${condition}
      returning ledger_account_id, transfer_id
    ), transfer as (
      insert into transfers (id, kind, idempotency_key, reference)
      select transfer_id, 'capture', ${`capture:${reference}`}, ${reference} from hold
      returning id
    ), captured as (
      insert into entries (transfer_id, ledger_account_id, amount_micro_usd, category)
      select transfer.id, hold.ledger_account_id, -${amount}::bigint, ${category}::text from transfer, hold
      union all
      select transfer.id, house.id, ${amount}::bigint, null
        from transfer, ledger_accounts house where house.kind = 'revenue' and house.owner_id is null
      returning id
    )`;
}

export function nothingToCapture({ reference }: Capture): OperationError {
  return new OperationError('conflict', `${reference} has no open hold of at least the amount to capture.`);
}

/**
 * Releases the whole hold to the wallet.
 * @throws OperationError `conflict` when there is no open hold
 */
export async function release(db: Executor, { reference }: { reference: string }): Promise<void> {
  const released = await db.execute(sql`
    update holds set state = 'released', settled_at = now()
    where reference = ${reference} and state = 'open'
    returning id`);
  if (released.length === 0) throw new OperationError('conflict', `${reference} has no open hold.`);
}

/** Returns a condition that holds while a wallet could hold an amount. */
export function hasFunds(accountId: string, amount: MicroUsd): SQL {
  return sql`exists (
    select from ledger_accounts
    where owner_id = ${accountId}::uuid and balance_micro_usd - held_micro_usd >= ${amount}::bigint)`;
}

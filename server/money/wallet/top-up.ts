import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { Executor } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';

interface FreeCredit {
  readonly accountId: string;
  /** Above 0. */
  readonly amount: MicroUsd;
  /** Identity of the person, who gets it once, with however many accounts. */
  readonly recipient: string;
}

interface TopUpReversal {
  readonly accountId: string;
  /** Above 0. */
  readonly amountMax: MicroUsd;
  /** Key of the movement: it is made once, however often it is requested. */
  readonly idempotencyKey: string;
  readonly reference: string;
}

export interface TopUp {
  readonly accountId: string;
  /** Above 0. */
  readonly amount: MicroUsd;
  /** Key of the movement, such as a payment's id: it is made once, however often it is requested. */
  readonly idempotencyKey: string;
  readonly reference: string;
}

/**
 * Credits money from outside to a wallet.
 * @returns `replayed` when this very top-up was booked before
 * @throws OperationError `bad_request` for an amount that is not above 0, `conflict` when the key was used for
 *   another wallet or amount, `not_found` when the account has no wallet
 */
export async function topUp(
  db: Executor,
  { accountId, amount, idempotencyKey, reference }: TopUp,
): Promise<{ transferId: string; replayed: boolean }> {
  if (amount <= 0n) throw new OperationError('bad_request', 'amount: must be above 0.');
  const transferId = randomUUID();
  const key = `top_up:${idempotencyKey}`;
  const written = await db.execute(sql`
    with wallet as (
      select id from ledger_accounts where owner_id = ${accountId}
    ), transfer as (
      insert into transfers (id, kind, idempotency_key, reference)
      select ${transferId}::uuid, 'top_up', ${key}, ${reference} from wallet
      on conflict (idempotency_key) do nothing
      returning id
    )
    insert into entries (transfer_id, ledger_account_id, amount_micro_usd)
    select transfer.id, wallet.id, ${amount}::bigint from transfer, wallet
    union all
    select transfer.id, house.id, -${amount}::bigint
      from transfer, ledger_accounts house where house.kind = 'funding' and house.owner_id is null
    returning id`);
  if (written.length > 0) return { transferId, replayed: false };
  return { transferId: await findSame(db, { accountId, amount, key }), replayed: true };
}

async function findSame(
  db: Executor,
  { accountId, amount, key }: { accountId: string; amount: MicroUsd; key: string },
): Promise<string> {
  const [earlier] = await db.execute<{ id: string; same: boolean }>(
    readOnly(sql`
    select transfers.id, wallet.owner_id = ${accountId} and amount_micro_usd = ${amount} as same
    from transfers join entries on transfer_id = transfers.id
      join ledger_accounts wallet on wallet.id = ledger_account_id and wallet.kind = 'wallet'
    where idempotency_key = ${key}`),
  );
  if (!earlier) throw new OperationError('not_found', `Account ${accountId} has no wallet.`);
  if (!earlier.same) {
    throw new OperationError('conflict', `The idempotency key of this top-up was used for another one.`);
  }
  return earlier.id;
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
  return await db.transaction(async (tx) => {
    // Two recipients of one account at once: the second sees what the first has written.
    await tx.execute(sql`select from ledger_accounts where owner_id = ${accountId} for no key update`);
    const written = await tx.execute(sql`
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
  });
}

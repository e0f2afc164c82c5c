import { eq, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';

/** Movement of money in a wallet, as its owner sees it. */
interface WalletEntry {
  /** Grows with time. */
  readonly id: bigint;
  readonly kind: 'top_up' | 'capture' | 'adjustment' | 'free_credit';
  /** The request_id of a capture; for other kinds, what the movement was for. */
  readonly reference: string;
  /** The operation of a charge; null for any other movement. */
  readonly category: string | null;
  /** Above 0 when the wallet received it. */
  readonly amount: MicroUsd;
  /** Balance of the wallet after the movement; null in a filtered list. */
  readonly balanceAfter: MicroUsd | null;
  readonly createdAt: Date;
}

/** Entry after which a page of entries starts, and the balance that it left. */
export interface EntryCursor {
  readonly id: bigint;
  readonly balance: MicroUsd | null;
}

export interface EntryQuery {
  readonly accountId: string;
  /** Money that came, or that went. Both when absent. */
  readonly direction?: 'credits' | 'charges' | undefined;
  /** Only charges for this. */
  readonly category?: string | undefined;
  readonly after?: EntryCursor | undefined;
  /** 1 to 1000 */
  readonly limit: number;
}

type Row = {
  id: string;
  kind: WalletEntry['kind'];
  reference: string;
  category: string | null;
  amount: string;
  at: string;
};

export interface Balance {
  /** All money in the wallet. */
  readonly balance: MicroUsd;
  /** Part of it that open holds have reserved. */
  readonly held: MicroUsd;
  /** Amount that a new hold may reserve. */
  readonly available: MicroUsd;
}

/**
 * Reads a wallet's balance.
 * @throws OperationError `not_found` when the account has no wallet
 */
export async function readBalance(db: Executor, accountId: string): Promise<Balance> {
  const [wallet] = await db
    .select({ balance: schema.ledgerAccounts.balance, held: schema.ledgerAccounts.held })
    .from(schema.ledgerAccounts)
    .where(eq(schema.ledgerAccounts.ownerId, accountId));
  if (!wallet) throw new OperationError('not_found', `Account ${accountId} has no wallet.`);
  return { ...wallet, available: wallet.balance - wallet.held };
}

/** Opens an empty wallet for an account. Does nothing when it has one. */
export async function openWallet(db: Executor, accountId: string): Promise<void> {
  await db
    .insert(schema.ledgerAccounts)
    .values({ kind: 'wallet', ownerId: accountId })
    .onConflictDoNothing({ target: schema.ledgerAccounts.ownerId });
}

/**
 * Lists the entries of a wallet, newest first, by keyset: a page costs the same at any depth.
 * @returns `next`, where the following page starts; null after the last one
 * @throws OperationError `not_found` when the account has no wallet
 */
export async function listEntries(
  db: Executor,
  { accountId, direction, category, after, limit }: EntryQuery,
): Promise<{ entries: WalletEntry[]; next: EntryCursor | null }> {
  const { balance: newest } = await readBalance(db, accountId);
  const isOlder = after ? sql`and entries.id < ${after.id}` : sql``;
  const sign = { credits: sql`and amount_micro_usd > 0`, charges: sql`and amount_micro_usd < 0` };
  const isOfCategory = category === undefined ? sql`` : sql`and category = ${category}`;
  const isFiltered = direction !== undefined || category !== undefined;
  const rows = await db.execute<Row>(
    readOnly(sql`
    select entries.id, kind, reference, category, amount_micro_usd as amount, created_at as at
    from entries join transfers on transfers.id = transfer_id
    where ledger_account_id = (select id from ledger_accounts where owner_id = ${accountId})
      ${isOlder} ${direction ? sign[direction] : sql``} ${isOfCategory}
    order by entries.id desc nulls last
    limit ${limit + 1}`),
  );
  let balanceAfter = isFiltered ? null : after ? after.balance : newest;
  const entries = rows.slice(0, limit).map(({ id, kind, reference, category, amount, at }) => {
    const entry = { id: BigInt(id), kind, reference, category, amount: BigInt(amount), balanceAfter };
    if (balanceAfter !== null) balanceAfter -= entry.amount;
    return { ...entry, createdAt: new Date(at) };
  });
  const last = entries.at(-1);
  return { entries, next: last && rows.length > limit ? { id: last.id, balance: balanceAfter } : null };
}

/** Counts the open holds of a wallet: jobs that have reserved their price. */
export async function countHolds(db: Executor, accountId: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    readOnly(sql`
    select count(*)::int as count from holds
    where state = 'open' and ledger_account_id = (select id from ledger_accounts where owner_id = ${accountId})`),
  );
  return row?.count ?? 0;
}

/**
 * Recomputes all balances from entries and holds and compares. The database refuses whatever would break them, so a
 * fault means damage or a bug there. One snapshot; reads the whole ledger.
 * @returns a sentence for each fault
 */
export async function reconcileBalances(db: Executor): Promise<{ ok: boolean; faults: string[] }> {
  const rows = await db.execute<{ fault: string }>(
    readOnly(sql`
    with booked as (
      select ledger_account_id, sum(amount_micro_usd) as total from entries group by 1
    ), reserved as (
      select ledger_account_id, sum(amount_micro_usd) as total from holds where state = 'open' group by 1
    ), summed as (
      select transfer_id, count(*) as entry_count, sum(amount_micro_usd) as total from entries group by 1
    )
    select format('wallet %s: balance %s, entries sum to %s', id, balance_micro_usd, coalesce(total, 0)) as fault
      from ledger_accounts left join booked on ledger_account_id = id
      where kind = 'wallet' and balance_micro_usd <> coalesce(total, 0)
    union all
    select format('wallet %s: held %s, open holds sum to %s', id, held_micro_usd, coalesce(total, 0))
      from ledger_accounts left join reserved on ledger_account_id = id
      where held_micro_usd <> coalesce(total, 0)
    union all
    select format('transfer %s: %s entries, sum %s', id, coalesce(entry_count, 0), total)
      from transfers left join summed on transfer_id = id
      where coalesce(entry_count, 0) < 2 or total <> 0
    union all
    select format('hold %s: captured, but not by a transfer of at most %s', holds.reference, amount_micro_usd)
      from holds where state = 'captured' and not exists (
        select from entries where entries.transfer_id = holds.transfer_id
          and entries.ledger_account_id = holds.ledger_account_id
          and -entries.amount_micro_usd between 1 and holds.amount_micro_usd)`),
  );
  const faults = rows.map((row) => row.fault);
  return { ok: faults.length === 0, faults };
}

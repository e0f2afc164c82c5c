import { sql } from 'drizzle-orm';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { Executor } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';
import { readBalance } from './balance.ts';

/** Movement of money in a wallet, as its owner sees it. */
export interface WalletEntry {
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

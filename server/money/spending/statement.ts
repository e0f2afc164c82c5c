import { sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { Executor } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';

/** Movements of one kind in a month: each movement of money that came, and the sum of an operation's charges. */
export interface StatementLine {
  readonly kind: 'top_up' | 'capture' | 'adjustment' | 'free_credit';
  /** Operation of charges; null for anything else. */
  readonly category: string | null;
  /** Id of the only entry; null for charges. */
  readonly entryId: string | null;
  readonly reference: string | null;
  readonly count: number;
  /** Above 0 when the wallet received it. */
  readonly amount: MicroUsd;
  /** Time of the last movement. */
  readonly at: Date;
}

/** A wallet's calendar month (UTC). */
export interface Statement {
  /** `2026-11` */
  readonly month: string;
  readonly opening: MicroUsd;
  readonly closing: MicroUsd;
  readonly lines: readonly StatementLine[];
}

/** Returns the moment at which a month (`2026-11`) begins. */
const getStart = (month: string) => sql`(${`${month}-01`}::timestamp at time zone 'UTC')`;
const getEnd = (month: string) =>
  sql`((${`${month}-01`}::timestamp + interval '1 month') at time zone 'UTC')`;
const getWallet = (accountId: string) => sql`(select id from ledger_accounts where owner_id = ${accountId})`;

/** Reports whether a text names a month, such as `2026-11`. */
function isMonth(text: string): boolean {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(text);
}

/**
 * Sums up a wallet's calendar month from its ledger.
 * @throws OperationError `not_found` for a text that names no month
 */
export async function readStatement(db: Executor, accountId: string, month: string): Promise<Statement> {
  if (!isMonth(month)) throw new OperationError('not_found', `There is no statement of "${month}".`);
  const [sums] = await db.execute<{ opening: string; closing: string }>(
    readOnly(sql`
    select coalesce(sum(amount_micro_usd) filter (where created_at < ${getStart(month)}), 0)::text as opening,
      coalesce(sum(amount_micro_usd), 0)::text as closing
    from entries join transfers on transfers.id = transfer_id
    where ledger_account_id = ${getWallet(accountId)} and created_at < ${getEnd(month)}`),
  );
  type Row = Omit<StatementLine, 'amount' | 'at'> & { entry: string | null; amount: string; at: string };
  const rows = await db.execute<Row>(
    readOnly(sql`
    select kind, category, count(*)::int as count, sum(amount_micro_usd)::text as amount, max(created_at) as at,
      case when kind <> 'capture' then max(entries.id)::text end as entry,
      case when kind <> 'capture' then max(reference) end as reference
    from entries join transfers on transfers.id = transfer_id
    where ledger_account_id = ${getWallet(accountId)}
      and created_at >= ${getStart(month)} and created_at < ${getEnd(month)}
    group by kind, category, case when kind <> 'capture' then entries.id end
    order by kind = 'capture', at, category`),
  );
  return {
    month,
    opening: BigInt(sums?.opening ?? 0),
    closing: BigInt(sums?.closing ?? 0),
    lines: rows.map(({ entry, amount, at, ...line }) => {
      return { ...line, entryId: entry, amount: BigInt(amount), at: new Date(at) };
    }),
  };
}

/** Lists the months (`2026-11`) of a wallet, newest first: all since its first entry, up to this one. */
export async function listStatementMonths(db: Executor, accountId: string): Promise<string[]> {
  const rows = await db.execute<{ month: string }>(
    readOnly(sql`
    with first as (
      select transfers.created_at as at from entries join transfers on transfers.id = transfer_id
      where ledger_account_id = ${getWallet(accountId)} order by entries.id limit 1)
    select to_char(month, 'YYYY-MM') as month from generate_series(
      date_trunc('month', coalesce((select at from first), now()) at time zone 'UTC'),
      date_trunc('month', now() at time zone 'UTC'), interval '1 month') as month
    order by 1 desc`),
  );
  return rows.map(({ month }) => month);
}

/** Money that a wallet received. */
export interface Receipt {
  readonly entryId: string;
  readonly kind: StatementLine['kind'];
  readonly reference: string;
  readonly amount: MicroUsd;
  readonly at: Date;
}

/**
 * Finds money that an account's wallet received, for its receipt.
 * @param entryId of the ledger entry
 * @throws OperationError `not_found` when there is none of that id
 */
export async function findReceipt(db: Executor, accountId: string, entryId: string): Promise<Receipt> {
  type Row = { kind: StatementLine['kind']; reference: string; amount: string; at: string };
  const [row] = /^\d{1,18}$/.test(entryId)
    ? await db.execute<Row>(
        readOnly(sql`
        select kind, reference, amount_micro_usd as amount, created_at as at
        from entries join transfers on transfers.id = transfer_id
        where entries.id = ${entryId}::bigint and ledger_account_id = ${getWallet(accountId)}
          and amount_micro_usd > 0`),
      )
    : [];
  if (!row) throw new OperationError('not_found', `There is no receipt "${entryId}".`);
  return { ...row, entryId, amount: BigInt(row.amount), at: new Date(row.at) };
}

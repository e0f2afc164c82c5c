import { sql } from 'drizzle-orm';
import { OperationError } from '../../models/operation/errors.ts';
import { formatUsd, type MicroUsd } from '../../models/operation/money.ts';
import { calendarMonth } from '../base/calendar-month.ts';
import type { Executor, Tx } from '../base/database/db.ts';
import { giveAlerts } from './alerts.ts';

/** Amount of an account's money. */
interface AccountAmount {
  readonly accountId: string;
  readonly amount: MicroUsd;
}

/**
 * Reserves an account's spending for this month. Locks its count until the transaction ends: after that of the key, and
 * before the wallet.
 * @throws OperationError `insufficient_balance` when the account's monthly cap would be exceeded
 */
export async function reserveAccountSpending(
  tx: Executor,
  { accountId, amount }: AccountAmount,
): Promise<void> {
  const reserved = await tx.execute(sql`
    insert into account_spending as counted (account_id, month, reserved_micro_usd)
    select id, ${calendarMonth(sql`now()`)}, ${amount} from accounts
      where id = ${accountId} and (monthly_cap_micro_usd is null or monthly_cap_micro_usd >= ${amount})
    on conflict (account_id, month) do update
      set reserved_micro_usd = counted.reserved_micro_usd + excluded.reserved_micro_usd
      where (select monthly_cap_micro_usd is null
          or monthly_cap_micro_usd >= counted.reserved_micro_usd + excluded.reserved_micro_usd
        from accounts where id = excluded.account_id)
    returning account_id`);
  if (reserved.length === 0) throw isCapped(amount);
}

/**
 * Checks that an account could reserve an amount now. It reserves nothing: another request may still be faster.
 * @throws OperationError `insufficient_balance` when the account's monthly cap would be exceeded
 */
export async function assertAccountBudget(db: Executor, { accountId, amount }: AccountAmount): Promise<void> {
  const spendable = await db.execute(sql`
    select from accounts
    left join account_spending on account_id = id and month = ${calendarMonth(sql`now()`)}
    where id = ${accountId} and (monthly_cap_micro_usd is null
      or monthly_cap_micro_usd >= coalesce(reserved_micro_usd, 0) + ${amount})`);
  if (spendable.length === 0) throw isCapped(amount);
}

function isCapped(amount: MicroUsd): OperationError {
  return new OperationError(
    'insufficient_balance',
    `The monthly cap of this account does not leave ${formatUsd(amount)} USD. Raise the cap, or wait for the next month.`,
  );
}

/**
 * Refunds a reservation whose money was not spent. One that an earlier version made without counting it changes
 * nothing.
 * @param refund.at time of the reservation, which determines its month
 */
export async function refundAccountSpending(
  tx: Executor,
  { accountId, amount, at }: AccountAmount & { readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    update account_spending
    set reserved_micro_usd = greatest(reserved_micro_usd - ${amount}, charged_micro_usd)
    where account_id = ${accountId} and month = ${calendarMonth(sql`${at.toISOString()}`)}`);
}

/** Reservation whose job has completed. */
interface Settlement {
  readonly accountId: string;
  readonly held: MicroUsd;
  /** Part of it that was spent. */
  readonly charged: MicroUsd;
  /** Time of the reservation, which determines its month. */
  readonly at: Date;
}

/**
 * Counts what a reservation has cost, and gives the alerts that are due.
 * @returns whether mails are to be sent once the transaction has committed
 */
export async function settleAccountSpending(
  tx: Tx,
  { accountId, held, charged, at }: Settlement,
): Promise<boolean> {
  type Row = { month: string; charged: string; cap: string | null };
  const [row] = await tx.execute<Row>(sql`
    update account_spending
    set reserved_micro_usd = greatest(reserved_micro_usd - ${held - charged}, charged_micro_usd + ${charged}),
      charged_micro_usd = charged_micro_usd + ${charged}
    where account_id = ${accountId} and month = ${calendarMonth(sql`${at.toISOString()}`)}
    returning month, charged_micro_usd as charged,
      (select monthly_cap_micro_usd from accounts where id = account_id) as cap`);
  if (!row || row.cap === null) return false;
  const [spent, cap] = [BigInt(row.charged), BigInt(row.cap)];
  return await giveAlerts(tx, { accountId, month: row.month, spent, cap });
}

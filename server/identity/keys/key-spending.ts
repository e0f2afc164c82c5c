import { sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import { calendarMonth } from '../../base/calendar-month.ts';
import type { Executor } from '../../base/database/db.ts';

/**
 * Reserves a key's spending for this month. Locks the key's count until the transaction ends; a transaction that also
 * holds or releases money does that afterwards, so that all lock in one order.
 * @throws OperationError `insufficient_balance` when the key's monthly cap would be exceeded
 */
export async function reserveSpending(
  tx: Executor,
  { keyId, amount }: { keyId: string; amount: MicroUsd },
): Promise<void> {
  const reserved = await tx.execute(sql`
    insert into key_spending as counted (key_id, month, spent_micro_usd)
    select id, ${calendarMonth(sql`now()`)}, ${amount} from api_keys
      where id = ${keyId} and (monthly_cap_micro_usd is null or monthly_cap_micro_usd >= ${amount})
    on conflict (key_id, month) do update
      set spent_micro_usd = counted.spent_micro_usd + excluded.spent_micro_usd
      where (select monthly_cap_micro_usd is null
          or monthly_cap_micro_usd >= counted.spent_micro_usd + excluded.spent_micro_usd
        from api_keys where id = excluded.key_id)
    returning key_id`);
  if (reserved.length === 0) throw isCapped(amount);
}

/**
 * Checks that a key could reserve an amount now. It reserves nothing: another request may still be faster.
 * @throws OperationError `insufficient_balance` when the key's monthly cap would be exceeded
 */
export async function assertKeyBudget(
  db: Executor,
  { keyId, amount }: { keyId: string; amount: MicroUsd },
): Promise<void> {
  const spendable = await db.execute(sql`
    select from api_keys
    left join key_spending on key_id = id and month = ${calendarMonth(sql`now()`)}
    where id = ${keyId}
      and (monthly_cap_micro_usd is null or monthly_cap_micro_usd >= coalesce(spent_micro_usd, 0) + ${amount})`);
  if (spendable.length === 0) throw isCapped(amount);
}

function isCapped(amount: MicroUsd): OperationError {
  return new OperationError(
    'insufficient_balance',
    `The monthly cap of this API key does not leave ${formatUsd(amount)} USD. Raise it or use another key.`,
  );
}

/**
 * Refunds a reservation whose money was not spent.
 * @param refund.at time of the reservation, which determines its month
 */
export async function refundSpending(
  tx: Executor,
  { keyId, amount, at }: { keyId: string; amount: MicroUsd; at: Date },
): Promise<void> {
  await tx.execute(sql`
    update key_spending set spent_micro_usd = spent_micro_usd - ${amount}
    where key_id = ${keyId} and month = ${calendarMonth(sql`${at.toISOString()}`)}`);
}

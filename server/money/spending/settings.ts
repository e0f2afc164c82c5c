import { and, eq, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { calendarMonth } from '../../base/periods.ts';
import { enqueueEarlierAlerts, forgetAlerts, recordAlerts } from './alerts.ts';

const { accounts, accountSpending } = schema;

/** Reads the cap and event address of an account, and what it has spent in this calendar month (UTC). */
export async function readSpending(db: Executor, accountId: string) {
  const { monthlyCap, eventUrl, id } = accounts;
  const { reserved, charged, month } = accountSpending;
  const isThisMonth = and(eq(accountSpending.accountId, id), eq(month, calendarMonth(sql`now()`)));
  const [row] = await db
    .select({ monthlyCap, eventUrl, reserved, charged })
    .from(accounts)
    .leftJoin(accountSpending, isThisMonth)
    .where(eq(id, accountId));
  if (!row) throw new OperationError('not_found', `There is no account ${accountId}.`);
  return { ...row, reserved: row.reserved ?? 0n, charged: row.charged ?? 0n };
}

/**
 * Changes the monthly cap of an account, all its keys together, from the next request on. Gives the alerts that are
 * due by it; their mails follow within a minute.
 * @param monthlyCap above 0; null: unlimited
 * @throws OperationError `bad_request` for another amount
 */
export async function setAccountCap(
  db: Executor,
  accountId: string,
  monthlyCap: MicroUsd | null,
): Promise<void> {
  if (monthlyCap !== null && monthlyCap <= 0n) {
    throw new OperationError('bad_request', 'accountCap: must be above 0.');
  }
  await db.transaction(async (tx) => {
    await tx.update(accounts).set({ monthlyCap }).where(eq(accounts.id, accountId));
    if (monthlyCap === null) return;
    const { month, charged: spent } = accountSpending;
    const isThisMonth = and(eq(accountSpending.accountId, accountId), eq(month, calendarMonth(sql`now()`)));
    const [counted] = await tx.select({ month, spent }).from(accountSpending).where(isThisMonth);
    if (!counted) return;
    const spending = { accountId, ...counted, cap: monthlyCap };
    await forgetAlerts(tx, spending);
    await recordAlerts(tx, spending);
  });
}

/**
 * Changes the URL that receives events of an account, and sends it those of this month that had none. The caller checks
 * that it may be reached.
 */
export async function setEventUrl(db: Executor, accountId: string, eventUrl: string | null): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(accounts).set({ eventUrl }).where(eq(accounts.id, accountId));
    if (eventUrl !== null) await enqueueEarlierAlerts(tx, accountId, eventUrl);
  });
}

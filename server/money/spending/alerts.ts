import { and, asc, eq, inArray, notExists, sql } from 'drizzle-orm';
import { formatUsd, type MicroUsd } from '../../../models/core/operation/money.ts';
import type { Context } from '../../base/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { calendarMonth } from '../../base/periods.ts';
import { permittedRoles } from '../../base/permissions.ts';
import { type Mail, sendMail } from '../../io/mail.ts';
import { enqueueDelivery } from '../../io/webhooks/index.ts';

/** Percentages of a cap at which an account is alerted, once a month each, and again once a raised cap is spent so far. */
export const ALERT_SHARES = [50, 80, 100] as const;

interface MonthSpending {
  readonly accountId: string;
  /** `2026-11` */
  readonly month: string;
  readonly spent: MicroUsd;
  readonly cap: MicroUsd;
}

/** Forgets the alerts of shares that a changed cap is not spent to: they are due again once it is. */
export async function forgetAlerts(tx: Tx, { accountId, month, spent, cap }: MonthSpending): Promise<void> {
  const { spendingAlerts } = schema;
  const ahead = ALERT_SHARES.filter((share) => spent * 100n < cap * BigInt(share));
  const isAhead = and(
    eq(spendingAlerts.accountId, accountId),
    eq(spendingAlerts.month, month),
    inArray(spendingAlerts.share, ahead),
  );
  await tx.delete(spendingAlerts).where(isAhead);
}

/** Queues the event of an alert. */
async function enqueueAlert(
  tx: Tx,
  url: string,
  { accountId, month, share, spent, cap }: MonthSpending & { readonly share: number },
): Promise<void> {
  const event = {
    type: 'account.spending',
    share,
    spent_usd: formatUsd(spent),
    cap_usd: formatUsd(cap),
  };
  const reference = `spending-${month}-${share}`;
  await enqueueDelivery(tx, { accountId, reference, url, body: JSON.stringify(event) });
}

/** Queues the events of this month's alerts that came before the account had an address for them. */
export async function enqueueEarlierAlerts(tx: Tx, accountId: string, url: string): Promise<void> {
  const { spendingAlerts, deliveries } = schema;
  const { month, share, spent, cap } = spendingAlerts;
  const sent = tx
    .select({ one: sql`1` })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.accountId, accountId),
        eq(deliveries.reference, sql`'spending-' || ${month} || '-' || ${share}`),
      ),
    );
  const missed = await tx
    .select({ month, share, spent, cap })
    .from(spendingAlerts)
    .where(
      and(eq(spendingAlerts.accountId, accountId), eq(month, calendarMonth(sql`now()`)), notExists(sent)),
    )
    .orderBy(asc(share));
  for (const alert of missed) await enqueueAlert(tx, url, { accountId, ...alert });
}

/**
 * Records each alert that is due and was not given in this month, and queues its webhook. Its mail follows.
 * @returns whether there was one
 */
export async function recordAlerts(
  tx: Tx,
  { accountId, month, spent, cap }: MonthSpending,
): Promise<boolean> {
  const due = ALERT_SHARES.filter((share) => spent * 100n >= cap * BigInt(share));
  if (due.length === 0) return false;
  const { accounts, spendingAlerts } = schema;
  const given = await tx
    .insert(spendingAlerts)
    .values(due.map((share) => ({ accountId, month, share, spent, cap })))
    .onConflictDoNothing()
    .returning({ share: spendingAlerts.share });
  if (given.length === 0) return false;
  const [account] = await tx
    .select({ url: accounts.eventUrl })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  const url = account?.url;
  if (!url) return true;
  for (const { share } of given.toSorted((one, other) => one.share - other.share)) {
    await enqueueAlert(tx, url, { accountId, month, share, spent, cap });
  }
  return true;
}

/**
 * Sends the mails of all alerts that have none yet, to the account's address and to the members who may change its cap.
 * Each goes at most once: one that the mail server refuses is in the log only. It runs after a job that caused an
 * alert, and every minute for those whose process died before.
 */
export async function mailAlerts(ctx: Pick<Context, 'db' | 'env' | 'log'>): Promise<void> {
  type Row = { emails: string[]; month: string; share: number; spent: string; cap: string };
  const alerts = await ctx.db.execute<Row>(sql`
    update spending_alerts alert set mailed_at = now() from accounts
    where alert.mailed_at is null and accounts.id = alert.account_id
    returning month, share, spent_micro_usd as spent, cap_micro_usd as cap, to_json(array(
      select lower(accounts.email) where accounts.email like '%@%' union
      select users.email from memberships join users on users.id = memberships.user_id
      where memberships.account_id = accounts.id and role = any(${permittedRoles('money.change')}))) as emails`);
  for (const { emails, spent, cap, ...alert } of alerts) {
    for (const email of emails) {
      sendMail(ctx, alertMail(ctx, email, { ...alert, spent: BigInt(spent), cap: BigInt(cap) }));
    }
  }
}

function alertMail(
  { env }: Pick<Context, 'env'>,
  to: string,
  { month, share, spent, cap }: Omit<MonthSpending, 'accountId'> & { readonly share: number },
): Mail {
  const effect =
    share >= 100 ? '\n\nRequests are refused until the next month, or until you raise the cap.' : '';
  return {
    to,
    subject: `${share} % of your monthly cap is spent`,
    text: `Your account at Darkroom has spent ${formatUsd(spent)} USD in ${month}, of a cap of ${formatUsd(cap)} USD.${effect}

${env.PUBLIC_URL}/dashboard/usage`,
  };
}

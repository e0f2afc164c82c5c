import { eq, sql } from 'drizzle-orm';
import type { Context } from '../../base/context.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { tryLockOpenAccount } from '../../base/database/lock-account.ts';
import { readOnly } from '../../base/database/read-only.ts';
import { permittedRoles } from '../../base/permissions.ts';
import { type Mail, sendMail } from '../../io/mail.ts';
import { payerIsMember, stopAutomaticTopUps } from '../../money/stripe/index.ts';
import { recordAuditEvent } from '../accounts/index.ts';
import { findAccountName } from './accounts.ts';

const ACCOUNTS_MAX = 20;

/**
 * Ends the automatic top-ups whose payer has left the account or may not pay for it any more: a card is charged for
 * only its person. Tells the members who may set up others, by mail.
 * @returns the number of accounts
 */
export async function stopTopUpsOfFormerMembers(ctx: Context): Promise<number> {
  const departed = await ctx.db.execute<{ accountId: string }>(
    readOnly(sql`
    select account_id as "accountId" from automatic_top_ups automatic
    where stopped_at is null and not ${payerIsMember()} limit ${ACCOUNTS_MAX}`),
  );
  let count = 0;
  for (const { accountId } of departed) {
    const mails = await ctx.db.transaction(async (tx) => await endTopUps(ctx, tx, accountId));
    if (!mails) continue;
    count += 1;
    for (const mail of mails) sendMail(ctx, mail);
  }
  return count;
}

/** @returns the mails about it; undefined where another has ended them, or the account was deleted */
async function endTopUps(ctx: Context, tx: Tx, accountId: string): Promise<Mail[] | undefined> {
  // Before its top-ups, as the deletion does: neither has what the other waits for.
  if (!(await tryLockOpenAccount(tx, accountId))) return undefined;
  const [due] = await tx.execute<{ payerId: string }>(sql`
    select payer_id as "payerId" from automatic_top_ups automatic
    where account_id = ${accountId}::uuid and stopped_at is null and not ${payerIsMember()} for update`);
  if (!due) return undefined;
  await stopAutomaticTopUps(tx, accountId);
  const payer = await findAddress(tx, due.payerId);
  await recordAuditEvent(tx, { accountId, userId: null, action: 'payments.payerLeft', subject: payer });
  const account = await findAccountName(tx, accountId);
  const to = await listPayers(tx, accountId);
  return to.map((address) => endMail(ctx, { to: address, account, payer }));
}

async function findAddress(tx: Tx, userId: string): Promise<string | undefined> {
  const { users } = schema;
  const [found] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return found?.email;
}

/** Lists the addresses of the members who may set up automatic top-ups. */
async function listPayers(tx: Tx, accountId: string): Promise<string[]> {
  const found = await tx.execute<{ email: string }>(sql`
    select users.email from memberships join users on users.id = memberships.user_id
    where memberships.account_id = ${accountId}::uuid and role = any(${permittedRoles('money.change')})`);
  return found.map(({ email }) => email);
}

interface EndText {
  readonly to: string;
  readonly account: string;
  /** Address of the payer until now; undefined once that person is gone from the service. */
  readonly payer: string | undefined;
}

function endMail({ env }: Pick<Context, 'env'>, { to, account, payer }: EndText): Mail {
  const person = payer ?? 'Their former payer';
  return {
    to,
    subject: 'Automatic top-ups of your account have ended',
    text: `Automatic top-ups of the account ${account} at Darkroom have ended. ${person} had set them up, and may not pay for this account any more, so that card is charged no more.

Requests are refused once the wallet is empty. To go on, set automatic top-ups up with another card:

${env.PUBLIC_URL}/dashboard/top-up`,
  };
}

import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { retireServiceOwner } from '../../identity/auth/index.ts';
import { findAccountName, openOtherAccount } from '../../identity/team/index.ts';

const { accounts, invitations, memberships, sessions, users } = schema;

/**
 * Ends the memberships and invitations of an account that is deleted, and deletes the person it was opened for. Where
 * another owner deletes it, that person keeps the way to sign in, with an empty account.
 * @param by person who deletes the account; absent for the service itself
 * @throws OperationError `conflict` while the person is the only owner of another account
 */
export async function endTeam(tx: Tx, accountId: string, by: string | undefined): Promise<void> {
  const people = await tx.select({ id: users.id }).from(users).where(eq(users.accountId, accountId));
  for (const { id } of people) {
    if (by === undefined || by === id) await assertReplaceable(tx, accountId, id);
    else await openOtherAccount(tx, accountId, id);
  }
  await tx.delete(invitations).where(eq(invitations.accountId, accountId));
  await tx.delete(memberships).where(eq(memberships.accountId, accountId));
  await tx.update(sessions).set({ accountId: null }).where(eq(sessions.accountId, accountId));
  await retireServiceOwner(tx, accountId);
  await tx.delete(users).where(eq(users.accountId, accountId));
}

/** @throws OperationError `conflict` for the only owner of an account other than the given one */
async function assertReplaceable(tx: Tx, accountId: string, userId: string): Promise<void> {
  // Changes of the members of these accounts wait. All are locked, but for one that the person has just joined.
  const owned = tx
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.role, 'owner')));
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, owned))
    .orderBy(accounts.id)
    .for('no key update');
  const hasOtherOwner = sql`exists (select from memberships other where other.role = 'owner'
    and other.account_id = ${memberships.accountId} and other.user_id <> ${userId})`;
  const isOnlyOwner = and(
    eq(memberships.userId, userId),
    eq(memberships.role, 'owner'),
    ne(memberships.accountId, accountId),
    sql`not ${hasOtherOwner}`,
  );
  const [left] = await tx
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(isOnlyOwner)
    .limit(1);
  if (!left) return;
  const name = await findAccountName(tx, left.accountId);
  throw new OperationError(
    'conflict',
    `You are the only owner of the account ${name}. Make another member its owner or delete it first.`,
  );
}

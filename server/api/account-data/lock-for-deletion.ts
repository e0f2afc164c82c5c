import { and, eq } from 'drizzle-orm';
import { schema, type Tx } from '../../base/database/db.ts';

const { accounts, memberships, users } = schema;

/**
 * Locks what the deletion of an account changes: the account and its sandbox, for which whatever makes a job, a key or
 * an upload waits, and the other accounts that its person belongs to, for which changes of members wait. Two deletions
 * lock in the same order, by id: neither has what the other waits for.
 * @param by person who deletes the account; absent for the service itself
 * @returns the ids of the account and of its sandbox
 */
export async function lockForDeletion(tx: Tx, accountId: string, by: string | undefined): Promise<string[]> {
  const joined = await tx
    .select({ id: memberships.accountId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(users.accountId, accountId), by === undefined ? undefined : eq(users.id, by)));
  const ids = new Set([accountId, ...joined.map(({ id }) => id)]);
  for (const id of [...ids].sort()) {
    const locked = tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id));
    await locked.for(id === accountId ? 'update' : 'no key update');
  }
  // Nobody can open one any more.
  const sandboxes = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.sandboxOf, accountId))
    .for('update');
  return [accountId, ...sandboxes.map(({ id }) => id)];
}

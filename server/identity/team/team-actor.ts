import { and, eq } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type Executor, schema, type Tx } from '../../base/database/db.ts';
import { lockOpenAccount } from '../../base/database/lock-account.ts';
import { assertPermitted, type Role } from '../../base/permissions.ts';

/** Member who changes something about a team. */
export interface TeamActor {
  readonly accountId: string;
  readonly userId: string;
  /** IP address of the request, for the log. */
  readonly address: string | null;
}

/**
 * Lets one change of an account's members run at a time, until the transaction ends: of two owners who demote each
 * other, one stays.
 * @throws OperationError `unauthorized` when the account was deleted
 */
export async function lockMembers(tx: Tx, accountId: string): Promise<void> {
  await lockOpenAccount(tx, accountId, 'no key update');
}

/**
 * Locks the members of an account for an actor who changes them, and may have lost that right since the request began.
 * @throws OperationError `forbidden` when the right has gone, `unauthorized` when the account was deleted
 */
export async function lockToChange(
  tx: Tx,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
): Promise<void> {
  await lockMembers(tx, accountId);
  const role = await findRole(tx, accountId, userId);
  if (role === null) throw new OperationError('forbidden', 'You do not belong to this account any more.');
  assertPermitted(role, 'members.change');
}

/** Returns the role of a person in an account; null for no member. */
export async function findRole(db: Executor, accountId: string, userId: string): Promise<Role | null> {
  const { memberships } = schema;
  const [found] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.accountId, accountId), eq(memberships.userId, userId)));
  return found?.role ?? null;
}

import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Tx } from '../../base/database/db.ts';
import { lockOpenAccount } from '../../base/database/lock-account.ts';
import { assertPermitted } from '../../base/permissions.ts';
import { findRole } from './find-role.ts';

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

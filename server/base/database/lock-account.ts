import { and, eq, isNull } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type Executor, schema } from './db.ts';

/** `key share` together with others of its kind, which is the default; `no key update` lets one transaction in at a time. */
type LockStrength = 'key share' | 'no key update';

/**
 * Keeps an account from being deleted until the transaction ends. Call it before the transaction locks anything else:
 * the deletion locks the account first, too.
 * @throws OperationError `unauthorized` when the account was deleted, as after the request had authenticated
 */
export async function lockOpenAccount(
  tx: Executor,
  accountId: string,
  strength?: LockStrength,
): Promise<void> {
  if (await tryLockOpenAccount(tx, accountId, strength)) return;
  throw new OperationError('unauthorized', 'This account was deleted.');
}

/** Like {@link lockOpenAccount}. @returns false when the account was deleted */
export async function tryLockOpenAccount(
  tx: Executor,
  accountId: string,
  strength: LockStrength = 'key share',
): Promise<boolean> {
  const { accounts } = schema;
  const [open] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.deletedAt)))
    .for(strength);
  return open !== undefined;
}

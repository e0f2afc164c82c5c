import { and, eq, isNull } from 'drizzle-orm';
import { OperationError } from '../../models/operation/errors.ts';
import { type Executor, schema } from '../base/database/db.ts';

/**
 * Keeps an account from being deleted until the transaction ends. Call it before the transaction locks anything else:
 * the deletion locks the account first, too.
 * @throws OperationError `unauthorized` when the account was deleted, as after the request had authenticated
 */
export async function lockOpenAccount(tx: Executor, accountId: string): Promise<void> {
  if (await tryLockOpenAccount(tx, accountId)) return;
  throw new OperationError('unauthorized', 'This account was deleted.');
}

/** Like {@link lockOpenAccount}. @returns false when the account was deleted */
export async function tryLockOpenAccount(tx: Executor, accountId: string): Promise<boolean> {
  const { accounts } = schema;
  const [open] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.deletedAt)))
    .for('key share');
  return open !== undefined;
}

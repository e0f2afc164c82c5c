import { and, eq, isNull } from 'drizzle-orm';
import { OperationError } from '../../models/operation/errors.ts';
import { schema, type Tx } from '../base/database/db.ts';

/**
 * Lets one change of an account's members run at a time, until the transaction ends: of two owners who demote each
 * other, one stays.
 * @throws OperationError `unauthorized` when the account was deleted
 */
export async function lockMembers(tx: Tx, accountId: string): Promise<void> {
  const { accounts } = schema;
  const [open] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.deletedAt)))
    .for('no key update');
  if (!open) throw new OperationError('unauthorized', 'This account was deleted.');
}

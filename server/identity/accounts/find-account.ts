import { eq, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type Executor, schema } from '../../base/database/db.ts';

/**
 * Finds the account of an e-mail address (case-insensitive).
 * @throws OperationError `not_found` when there is none
 */
export async function findAccount(db: Executor, email: string): Promise<{ accountId: string }> {
  const { accounts } = schema;
  const [known] = await db
    .select({ accountId: accounts.id })
    .from(accounts)
    .where(eq(sql`lower(${accounts.email})`, sql`lower(${email.trim()})`));
  if (!known) throw new OperationError('not_found', `email: no account has the address "${email}".`);
  return known;
}

import { and, eq, sql } from 'drizzle-orm';
import { OperationError } from '../../models/errors.ts';
import { type Executor, schema } from '../db.ts';

const { apiKeys } = schema;

/**
 * Ends a key at once and for ever. Revoking it again changes nothing.
 * @throws OperationError `not_found` when the account has no such key
 */
export async function revokeKey(
  db: Executor,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<void> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId)))
    .returning({ id: apiKeys.id });
  if (revoked.length === 0) throw new OperationError('not_found', `There is no API key ${keyId}.`);
}

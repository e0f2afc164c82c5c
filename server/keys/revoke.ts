import { and, eq, sql } from 'drizzle-orm';
import { OperationError } from '../../models/errors.ts';
import { type Executor, schema } from '../db.ts';

const { apiKeys } = schema;

/** Name of a key. An account can reach only its own. */
export interface KeyName {
  readonly accountId: string;
  readonly keyId: string;
}

/**
 * Revokes a key at once and for ever. Repeating it changes nothing.
 * @throws OperationError `not_found` when the account has no such key
 */
export async function revokeKey(db: Executor, key: KeyName): Promise<void> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
    .where(and(eq(apiKeys.id, key.keyId), eq(apiKeys.accountId, key.accountId)))
    .returning({ id: apiKeys.id });
  if (revoked.length === 0) throw noSuchKey(key);
}

export function noSuchKey({ keyId }: KeyName): OperationError {
  return new OperationError('not_found', `There is no API key ${keyId}.`);
}

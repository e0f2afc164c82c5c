import { and, eq, isNull } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { schema, type Tx } from '../../base/database/db.ts';
import { type KeyReference, setKeyExpiry } from './change-key.ts';
import { issueKey } from './issue-key.ts';

/**
 * Issues a key like another one, which works for `graceHours` more.
 * @param createdBy person who does so; absent for a command
 * @returns the new key itself, which cannot be retrieved later
 * @throws OperationError `not_found` when the account has no such key, or revoked it
 */
export async function rotateKey(
  tx: Tx,
  { accountId, keyId }: KeyReference,
  graceHours: number,
  createdBy?: string,
): Promise<{ keyId: string; apiKey: string }> {
  const { apiKeys } = schema;
  const [old] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)));
  if (!old) throw new OperationError('not_found', `There is no API key ${keyId}.`);
  const { name, operations, permissions, expiresAt, monthlyCap } = old;
  const isExpired = expiresAt !== null && expiresAt.getTime() <= Date.now();
  if (isExpired)
    throw new OperationError('conflict', `The API key ${old.prefix} has expired. Create a new one.`);
  const made = await issueKey(tx, {
    accountId,
    name,
    rotatedFrom: keyId,
    ...(createdBy !== undefined && { createdBy }),
    ...(permissions && { permissions }),
    ...(operations && { operations }),
    ...(expiresAt && { expiresAt }),
    ...(monthlyCap !== null && { monthlyCap }),
  });
  const graceEnd = new Date(Date.now() + graceHours * 3_600_000);
  if (!expiresAt || graceEnd < expiresAt) await setKeyExpiry(tx, { accountId, keyId }, graceEnd);
  return made;
}

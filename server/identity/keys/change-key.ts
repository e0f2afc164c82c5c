import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { assertCap, assertExpiry } from './issue-key.ts';

const { apiKeys } = schema;

/** Name of a key. An account can reach only its own. */
export interface KeyReference {
  readonly accountId: string;
  readonly keyId: string;
}

/**
 * Changes the monthly cap of a key, from the next request on.
 * @param monthlyCap above 0; null: unlimited
 * @throws OperationError `bad_request` for another amount, `not_found` when the account has no such key
 */
export async function setKeyCap(db: Executor, key: KeyReference, monthlyCap: MicroUsd | null): Promise<void> {
  if (monthlyCap !== null) assertCap(monthlyCap);
  await change(db, key, { monthlyCap });
}

/**
 * Changes the expiry of a key. An expired key works again with a later one; a revoked key never does.
 * @param expiresAt in the future; null: never
 * @throws OperationError `bad_request` for a past moment, `not_found` when the account has no such key
 */
export async function setKeyExpiry(db: Executor, key: KeyReference, expiresAt: Date | null): Promise<void> {
  if (expiresAt !== null) assertExpiry(expiresAt);
  await change(db, key, { expiresAt });
}

/**
 * Revokes a key at once and for ever. Repeating it changes nothing.
 * @throws OperationError `not_found` when the account has no such key
 */
export async function revokeKey(db: Executor, key: KeyReference): Promise<void> {
  await change(db, key, { revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` });
}

/** Revokes all keys of an account at once and for ever. */
export async function revokeAllKeys(db: Executor, accountId: string): Promise<void> {
  const isActive = and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt));
  await db.update(apiKeys).set({ revokedAt: sql`now()` }).where(isActive);
}

/** Condition of the keys that a person has made in an account or its sandbox, and that are not revoked. */
const isActiveOf = (accountIds: readonly string[], userId: string) =>
  and(inArray(apiKeys.accountId, [...accountIds]), eq(apiKeys.createdBy, userId), isNull(apiKeys.revokedAt));

/** Counts the keys that a person has made in these accounts, and that are not revoked. */
export async function countKeysOf(
  db: Executor,
  accountIds: readonly string[],
  userId: string,
): Promise<number> {
  return await db.$count(apiKeys, isActiveOf(accountIds, userId));
}

/** Revokes the keys that a person has made in these accounts, at once and for ever. */
export async function revokeKeysOf(
  db: Executor,
  accountIds: readonly string[],
  userId: string,
): Promise<void> {
  await db.update(apiKeys).set({ revokedAt: sql`now()` }).where(isActiveOf(accountIds, userId));
}

interface KeyChange {
  readonly monthlyCap?: MicroUsd | null;
  readonly expiresAt?: Date | null;
  readonly revokedAt?: SQL;
}

async function change(db: Executor, { accountId, keyId }: KeyReference, values: KeyChange): Promise<void> {
  const changed = await db
    .update(apiKeys)
    .set(values)
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId)))
    .returning({ id: apiKeys.id });
  if (changed.length === 0) throw new OperationError('not_found', `There is no API key ${keyId}.`);
}

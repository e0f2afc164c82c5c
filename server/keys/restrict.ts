import { and, eq } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { MicroUsd } from '../../models/money.ts';
import { type Executor, schema } from '../db.ts';
import { assertCap, assertExpiry } from './issue.ts';
import { type KeyName, noSuchKey } from './revoke.ts';

const { apiKeys } = schema;

/**
 * Changes the monthly cap of a key, from the next request on.
 * @param monthlyCap above 0; null: unlimited
 * @throws OperationError `bad_request` for another amount, `not_found` when the account has no such key
 */
export async function capKey(db: Executor, key: KeyName, monthlyCap: MicroUsd | null): Promise<void> {
  if (monthlyCap !== null) assertCap(monthlyCap);
  await update(db, key, { monthlyCap });
}

/**
 * Changes the expiry of a key. An expired key works again with a later one; a revoked key never does.
 * @param expiresAt in the future; null: never
 * @throws OperationError `bad_request` for a past moment, `not_found` when the account has no such key
 */
export async function expireKey(db: Executor, key: KeyName, expiresAt: Date | null): Promise<void> {
  if (expiresAt !== null) assertExpiry(expiresAt);
  await update(db, key, { expiresAt });
}

async function update(db: Executor, key: KeyName, values: PgUpdateSetSource<typeof apiKeys>): Promise<void> {
  const changed = await db
    .update(apiKeys)
    .set(values)
    .where(and(eq(apiKeys.id, key.keyId), eq(apiKeys.accountId, key.accountId)))
    .returning({ id: apiKeys.id });
  if (changed.length === 0) throw noSuchKey(key);
}

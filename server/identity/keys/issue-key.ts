import { and, eq, isNull } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { assertStorable } from '../../../models/core/operation/storable-text.ts';
import { isModelId, MODEL_IDS } from '../../../models/registry.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { lockOpenAccount } from '../../base/database/lock-account.ts';
import { findSandboxOwner } from '../accounts/index.ts';
import { createApiKey, hashKey, keyPrefix } from './key-format.ts';

export interface NewKey {
  /** A sandbox gets a test key. */
  readonly accountId: string;
  /** 1 to 100 characters, for people. */
  readonly name: string;
  /** All when absent. */
  readonly operations?: readonly string[];
  /** Never when absent. */
  readonly expiresAt?: Date;
  /** `worker`, for a key that claims jobs of all keys for machines of the account, and does nothing else. */
  readonly permissions?: readonly string[];
  /** Key that it replaces. */
  readonly rotatedFrom?: string;
  /** Person who makes it; absent for a command. */
  readonly createdBy?: string;
  /** Above 0; spending limit of the key per calendar month (UTC). Unlimited when absent. */
  readonly monthlyCap?: MicroUsd;
}

/** Permission of a key that serves machines of the account. */
export const WORKER_PERMISSION = 'worker';

const NAME_LENGTH_MAX = 100;
/** Each key has its own rate limit. */
const ACTIVE_KEYS_MAX = 100;

/**
 * Issues a key. An account may have several, so that rotation needs no downtime.
 * @returns the key itself, which cannot be retrieved later
 * @throws OperationError `bad_request` that names the invalid field, `conflict` when the account has too many keys,
 *   `unauthorized` when it was deleted
 */
export async function issueKey(db: Executor, key: NewKey): Promise<{ keyId: string; apiKey: string }> {
  check(key);
  return await db.transaction(async (tx) => {
    await lockOpenAccount(tx, key.accountId);
    await assertKeyQuota(tx, key.accountId);
    const apiKey = createApiKey((await findSandboxOwner(tx, key.accountId)) !== null);
    const [row] = await tx
      .insert(schema.apiKeys)
      .values({
        accountId: key.accountId,
        name: key.name.trim(),
        prefix: keyPrefix(apiKey),
        sha256: hashKey(apiKey),
        operations: key.operations ? [...key.operations] : null,
        permissions: key.permissions ? [...key.permissions] : null,
        rotatedFrom: key.rotatedFrom ?? null,
        createdBy: key.createdBy ?? null,
        expiresAt: key.expiresAt ?? null,
        monthlyCap: key.monthlyCap ?? null,
      })
      .returning({ keyId: schema.apiKeys.id });
    if (!row) throw new Error('the new key was not returned');
    return { keyId: row.keyId, apiKey };
  });
}

async function assertKeyQuota(db: Executor, accountId: string): Promise<void> {
  const { apiKeys } = schema;
  const active = await db.$count(apiKeys, and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)));
  if (active < ACTIVE_KEYS_MAX) return;
  throw new OperationError('conflict', `An account may have ${ACTIVE_KEYS_MAX} keys. Revoke some first.`);
}

function check({ name, operations, permissions, expiresAt, monthlyCap }: NewKey): void {
  assertStorable({ name });
  const length = name.trim().length;
  if (length < 1 || length > NAME_LENGTH_MAX) {
    throw new OperationError('bad_request', `name: must be 1 to ${NAME_LENGTH_MAX} characters long.`);
  }
  if (operations && (operations.length === 0 || !operations.every(isModelId))) {
    throw new OperationError('bad_request', `operations: must be one or more of ${MODEL_IDS.join(', ')}.`);
  }
  if (permissions && !(permissions.length === 1 && permissions[0] === WORKER_PERMISSION)) {
    throw new OperationError('bad_request', `permissions: must be ${WORKER_PERMISSION}.`);
  }
  if (expiresAt) assertExpiry(expiresAt);
  if (monthlyCap !== undefined) assertCap(monthlyCap);
}

/** @throws OperationError `bad_request` for an invalid or past moment */
export function assertExpiry(expiresAt: Date): void {
  if (expiresAt.getTime() > Date.now()) return;
  throw new OperationError('bad_request', 'expiresAt: must be in the future.');
}

/** @throws OperationError `bad_request` for an amount that is not above 0 */
export function assertCap(monthlyCap: MicroUsd): void {
  if (monthlyCap > 0n) return;
  throw new OperationError('bad_request', 'monthlyCap: must be above 0.');
}

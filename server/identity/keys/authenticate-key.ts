import { eq, type SQL, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { isModelId, type ModelId } from '../../../models/registry.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { buildOnce } from '../../base/database/queries.ts';
import { WORKER_PERMISSION } from './issue-key.ts';
import { hashKey } from './key-format.ts';

/** Account on whose behalf a request acts, with its permissions. */
export interface Actor {
  /** The account's sandbox for a test key. */
  readonly accountId: string;
  /** Whether it acts in a sandbox: without money, models and true results. */
  readonly isTest: boolean;
  /** null: the studio, by the session of who is signed in. */
  readonly keyId: string | null;
  /** Person whose session it is; absent for a key. */
  readonly userId?: string;
  /** Whose rate limit a request counts for: that of the key or session, as a UUID. */
  readonly rateId: string;
  /** null: every operation. */
  readonly operations: readonly ModelId[] | null;
  /**
   * Keys whose jobs and usage it may see: those of a limited key are its own and of the keys that it has replaced.
   * Absent: all of the account.
   */
  readonly visibleKeyIds?: readonly string[];
  /** Whether its key serves machines of the account alone. Absent: no. */
  readonly isWorker?: boolean;
}

const { accounts, apiKeys } = schema;

const keyOfHash = buildOnce((db) =>
  db
    .select({
      keyId: apiKeys.id,
      accountId: apiKeys.accountId,
      sandboxOf: accounts.sandboxOf,
      prefix: apiKeys.prefix,
      operations: apiKeys.operations,
      permissions: apiKeys.permissions,
      visibleKeyIds: selectVisibleKeys(),
      revokedAt: apiKeys.revokedAt,
      useIsStale: sql<boolean>`coalesce(${apiKeys.lastUsedAt} < now() - interval '1 minute', true)`,
      expired: sql<boolean>`coalesce(${apiKeys.expiresAt} <= now(), false)`,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.sha256, sql.placeholder('sha256')))
    .prepare('key_of_hash'),
);

/**
 * Authenticates a key: one indexed look-up, so that a revoked key stops immediately.
 * @throws OperationError `unauthorized` when it is unknown, revoked or expired
 */
export async function authenticateKey(db: Executor, apiKey: string): Promise<Actor> {
  const [key] = await keyOfHash(db).execute({ sha256: hashKey(apiKey) });
  if (!key) throw new OperationError('unauthorized', 'The API key is unknown. Check that it is complete.');
  if (key.revokedAt) throw new OperationError('unauthorized', `The API key ${key.prefix} was revoked.`);
  if (key.expired) throw new OperationError('unauthorized', `The API key ${key.prefix} has expired.`);
  const { accountId, keyId, operations, sandboxOf, visibleKeyIds, permissions } = key;
  if (key.useIsStale) await recordUse(db, keyId);
  return {
    accountId,
    isTest: sandboxOf !== null,
    keyId,
    rateId: keyId,
    operations: operations?.filter(isModelId) ?? null,
    ...(visibleKeyIds !== null && { visibleKeyIds }),
    ...(permissions?.includes(WORKER_PERMISSION) && { isWorker: true }),
  };
}

/** Lists a limited key and the keys that it has replaced; null for a key without limits. An expiry is no limit. */
function selectVisibleKeys(): SQL<string[] | null> {
  return sql`case when ${apiKeys.operations} is null and ${apiKeys.monthlyCap} is null and ${apiKeys.permissions} is null
    then null else (
      with recursive own (id, rotated_from) as (
        select ${apiKeys.id}, ${apiKeys.rotatedFrom}
        union select former.id, former.rotated_from from api_keys former join own on former.id = own.rotated_from
      ) select json_agg(own.id) from own
    ) end`;
}

/** Notes the time of a key's use, at most once a minute: requests must not queue for one row. */
async function recordUse(db: Executor, keyId: string): Promise<void> {
  await db.execute(sql`
    update api_keys set last_used_at = now()
    where id = (select id from api_keys where id = ${keyId} for no key update skip locked)`);
}

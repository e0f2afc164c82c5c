import { eq, type SQL, sql } from 'drizzle-orm';
import { buildOnce } from '../../../models/core/build-once.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { isModelId, type ModelId } from '../../../models/registry.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import type { Role } from '../../base/permissions.ts';
import { WORKER_PERMISSION } from './issue-key.ts';
import { hashKey, isToken } from './key-format.ts';

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
  /** Role of that person. */
  readonly role?: Role;
  /** Whose rate limit a request counts for: that of the key or session, as a UUID. */
  readonly rateId: string;
  /** null: every operation. */
  readonly operations: readonly ModelId[] | null;
  /**
   * Keys and tokens whose jobs, uploads and usage it may see: those of a limited key are its own and the keys that it
   * has replaced, with their tokens; that of a token is itself.
   * Absent: all of the account.
   */
  readonly visibleKeyIds?: readonly string[];
  /** Whether its key serves machines of the account alone. Absent: no. */
  readonly isWorker?: boolean;
  /** Token of the key that sent the request. Absent: the key itself did. */
  readonly tokenId?: string;
  /** Names who shares the Idempotency-Keys of a caller with limits: a key with those that replace it, or a token. */
  readonly scopeId?: string;
}

const { accounts, apiKeys, tokens } = schema;

const KEY_COLUMNS = {
  keyId: apiKeys.id,
  accountId: apiKeys.accountId,
  sandboxOf: accounts.sandboxOf,
  prefix: apiKeys.prefix,
  operations: apiKeys.operations,
  revokedAt: apiKeys.revokedAt,
  useIsStale: sql<boolean>`coalesce(${apiKeys.lastUsedAt} < now() - interval '1 minute', true)`,
  expired: sql<boolean>`coalesce(${apiKeys.expiresAt} <= now(), false)`,
};

const keyOfHash = buildOnce((db: Executor) =>
  db
    .select({ ...KEY_COLUMNS, permissions: apiKeys.permissions, line: selectLine() })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.sha256, sql.placeholder('sha256')))
    .prepare('key_of_hash'),
);

const tokenOfHash = buildOnce((db: Executor) =>
  db
    .select({
      ...KEY_COLUMNS,
      tokenId: tokens.id,
      tokenOperations: tokens.operations,
      hasEnded: sql<boolean>`${tokens.revokedAt} is not null or ${tokens.expiresAt} <= now()`,
    })
    .from(tokens)
    .innerJoin(apiKeys, eq(apiKeys.id, tokens.keyId))
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(tokens.sha256, sql.placeholder('sha256')))
    .prepare('token_of_hash'),
);

/**
 * Authenticates a key, or a token of one: one indexed look-up, so that a revoked key stops immediately.
 * @throws OperationError `unauthorized` when it is unknown, revoked or expired
 */
export async function authenticateKey(db: Executor, apiKey: string): Promise<Actor> {
  if (isToken(apiKey)) return await authenticateToken(db, apiKey);
  const [key] = await keyOfHash(db).execute({ sha256: hashKey(apiKey) });
  if (!key) throw new OperationError('unauthorized', 'The API key is unknown. Check that it is complete.');
  assertLive(key);
  const { accountId, keyId, operations, sandboxOf, line, permissions } = key;
  if (key.useIsStale) await recordUse(db, keyId);
  return {
    accountId,
    isTest: sandboxOf !== null,
    keyId,
    rateId: keyId,
    operations: operations?.filter(isModelId) ?? null,
    ...(line !== null && { visibleKeyIds: line.ids, scopeId: line.root ?? keyId }),
    ...(permissions?.includes(WORKER_PERMISSION) && { isWorker: true }),
  };
}

async function authenticateToken(db: Executor, token: string): Promise<Actor> {
  const [found] = await tokenOfHash(db).execute({ sha256: hashKey(token) });
  if (!found || found.hasEnded) {
    throw new OperationError('unauthorized', 'The token is unknown, or has ended. Ask for a new one.');
  }
  assertLive(found);
  const { accountId, keyId, tokenId, sandboxOf } = found;
  if (found.useIsStale) await recordUse(db, keyId);
  return {
    accountId,
    isTest: sandboxOf !== null,
    keyId,
    tokenId,
    rateId: keyId,
    operations: (found.tokenOperations ?? found.operations)?.filter(isModelId) ?? null,
    visibleKeyIds: [tokenId],
    scopeId: tokenId,
  };
}

/** @throws OperationError `unauthorized` */
function assertLive({
  prefix,
  revokedAt,
  expired,
}: {
  prefix: string;
  revokedAt: Date | null;
  expired: boolean;
}) {
  if (revokedAt) throw new OperationError('unauthorized', `The API key ${prefix} was revoked.`);
  if (expired) throw new OperationError('unauthorized', `The API key ${prefix} has expired.`);
}

interface KeyLine {
  readonly ids: string[];
  /** Oldest of them. */
  readonly root: string | null;
}

/** Lists a limited key and the keys that it has replaced; null for a key without limits. An expiry is no limit. */
function selectLine(): SQL<KeyLine | null> {
  return sql`case when ${apiKeys.operations} is null and ${apiKeys.monthlyCap} is null and ${apiKeys.permissions} is null
    then null else (
      with recursive own (id, rotated_from) as (
        select ${apiKeys.id}, ${apiKeys.rotatedFrom}
        union select former.id, former.rotated_from from api_keys former join own on former.id = own.rotated_from
      ) select json_build_object(
        'ids', json_agg(own.id), 'root', (array_agg(own.id) filter (where own.rotated_from is null))[1]) from own
    ) end`;
}

/** Notes the time of a key's use, at most once a minute: requests must not queue for one row. */
async function recordUse(db: Executor, keyId: string): Promise<void> {
  await db.execute(sql`
    update api_keys set last_used_at = now()
    where id = (select id from api_keys where id = ${keyId} for no key update skip locked)`);
}

/**
 * Checks a permission.
 * @throws OperationError `forbidden` when the actor's key lacks this operation
 */
export function assertPermission(actor: Actor, modelId: string): void {
  const allowed: readonly string[] | null = actor.operations;
  if (allowed === null || allowed.includes(modelId)) return;
  throw new OperationError(
    'forbidden',
    `This API key does not allow ${modelId}. Use another key, or create one.`,
  );
}

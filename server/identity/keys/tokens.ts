import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { isModelId, MODEL_IDS, type ModelId } from '../../../models/registry.ts';
import { type Db, type Executor, schema } from '../../base/database/db.ts';
import { purgeRows } from '../../base/database/queries.ts';
import type { Actor } from './authenticate-key.ts';
import { createTokenText, hashKey } from './key-format.ts';

const { apiKeys, tokens } = schema;

/** Seconds for which a token may work. */
export const TOKEN_SECONDS = { min: 60, max: 3600 } as const;
/** Tokens of a key that work at the same time. */
const LIVE_TOKENS_MAX = 100;

export interface NewToken {
  /** Above 0: limit of all that it spends. */
  readonly max: MicroUsd;
  /** {@link TOKEN_SECONDS}. */
  readonly seconds: number;
  /** All of the key when absent. */
  readonly operations?: readonly string[] | undefined;
}

export interface CreatedToken {
  /** The token itself, which cannot be retrieved later. */
  readonly token: string;
  readonly tokenId: string;
  /** null: every operation. */
  readonly operations: readonly string[] | null;
  readonly expiresAt: Date;
}

/**
 * Creates a token of a key, for a program that must not have the key. It ends with the key.
 * @throws OperationError `bad_request` naming the field, `forbidden` for an operation that the key lacks, and without a
 *   key; `too_many_requests` when too many tokens of the key work
 */
export async function createToken(
  db: Db,
  { keyId, operations: allowed }: Pick<Actor, 'keyId' | 'operations'>,
  { max, seconds, operations }: NewToken,
): Promise<CreatedToken> {
  if (keyId === null) throw new OperationError('forbidden', 'Only a key makes tokens. Send one.');
  assertOperations(allowed, operations);
  const token = createTokenText();
  return await db.transaction(async (tx) => {
    // One after the other, so that concurrent ones cannot fill the last place twice.
    const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.id, keyId)).for('no key update');
    const isLive = and(eq(tokens.keyId, keyId), gt(tokens.expiresAt, sql`now()`), isNull(tokens.revokedAt));
    if ((await tx.$count(tokens, isLive)) >= LIVE_TOKENS_MAX) {
      throw new OperationError(
        'too_many_requests',
        `At most ${LIVE_TOKENS_MAX} tokens of a key work at the same time. Delete some, or wait until they expire.`,
      );
    }
    const [row] = await tx
      .insert(tokens)
      .values({
        keyId,
        sha256: hashKey(token),
        operations: operations ? [...operations] : null,
        max,
        expiresAt: sql`least(now() + ${seconds}::int * interval '1 second', ${key?.expiresAt?.toISOString() ?? null}::timestamptz)`,
      })
      .returning();
    if (!row) throw new Error('the new token was not returned');
    return { token, tokenId: row.id, operations: operations ?? allowed, expiresAt: row.expiresAt };
  });
}

function assertOperations(allowed: readonly ModelId[] | null, asked: readonly string[] | undefined): void {
  if (asked && !asked.every(isModelId)) {
    const message = `operations: must be one or more of ${MODEL_IDS.join(', ')}.`;
    throw new OperationError('bad_request', message, { field: 'operations' });
  }
  const known: readonly string[] | null = allowed;
  const missing = known && asked?.find((id) => !known.includes(id));
  if (!missing) return;
  const message = `operations: this API key does not allow ${missing} itself.`;
  throw new OperationError('forbidden', message, { field: 'operations' });
}

/** Lists the tokens of an account that work now, newest first. */
export async function listTokens(db: Executor, accountId: string) {
  const { id: tokenId, operations, max, spent, createdAt, expiresAt } = tokens;
  const works = and(isNull(tokens.revokedAt), gt(expiresAt, sql`now()`), isNull(apiKeys.revokedAt));
  return await db
    .select({ tokenId, keyName: apiKeys.name, operations, max, spent, createdAt, expiresAt })
    .from(tokens)
    .innerJoin(apiKeys, eq(apiKeys.id, tokens.keyId))
    .where(and(eq(apiKeys.accountId, accountId), works))
    .orderBy(desc(createdAt), desc(tokenId));
}

/**
 * Ends a token of the account, or of the keys that the caller may see. Repeating it changes nothing.
 * @throws OperationError `not_found`
 */
export async function deleteToken(
  db: Executor,
  { accountId, visibleKeyIds }: Pick<Actor, 'accountId' | 'visibleKeyIds'>,
  tokenId: string,
): Promise<void> {
  const own = db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.accountId, accountId));
  const ended = await db
    .update(tokens)
    .set({ revokedAt: sql`coalesce(${tokens.revokedAt}, now())` })
    .where(
      and(
        sql`${tokens.id}::text = ${tokenId}`,
        inArray(tokens.keyId, own),
        visibleKeyIds && inArray(tokens.keyId, [...visibleKeyIds]),
      ),
    )
    .returning({ id: tokens.id });
  if (ended.length === 0) throw new OperationError('not_found', `There is no token "${tokenId}".`);
}

/** Deletes tokens that ended a day ago. @returns how many */
export async function purgeTokens(db: Db): Promise<number> {
  return await purgeRows(db, tokens, sql`${tokens.expiresAt} < now() - interval '1 day'`);
}

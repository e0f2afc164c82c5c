import { and, eq, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { assertStorable } from '../../../models/core/operation/storable-text.ts';
import type { Context } from '../../base/context.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { recordAuditEvent } from '../accounts/index.ts';
import { revokeAllKeys } from '../keys/index.ts';
import { grantWelcomeCredit } from './grant-welcome-credit.ts';

/** Payload of better-auth's link to a changed address. Its signature is better-auth's to check. */
const payloadSchema = z.object({ email: z.string(), updateTo: z.string(), iat: z.number() });

/** Header of a reset of the password that revokes the account's API keys as well. Set by our own handler only. */
export const REVOKE_KEYS = 'x-revoke-keys';

/** Header with the address of the client, which our own server sets. */
export const CLIENT_ADDRESS = 'x-client-address';

/**
 * Leaves a user to the person who has set a new password by a link, and so reads the address: sessions, passkeys and other
 * links may be another person's. With the header `REVOKE_KEYS` the account's API keys go as well.
 */
export async function revokeOtherAccess(
  ctx: Pick<Context, 'env' | 'db' | 'log'>,
  userId: string,
  headers?: Headers,
): Promise<void> {
  const { users } = schema;
  const { db, log } = ctx;
  const known = await db.transaction(async (tx) => {
    await endAccess(tx, userId);
    const isOwn = eq(users.id, userId);
    const [user] = await tx.update(users).set({ emailVerified: true }).where(isOwn).returning();
    return user;
  });
  if (!known) return;
  const { accountId } = known;
  const actions = ['password.reset', 'sessions.end'];
  if (headers?.has(REVOKE_KEYS)) {
    await revokeAllKeys(db, accountId);
    actions.push('keys.revokeAll');
  }
  const address = headers?.get(CLIENT_ADDRESS);
  for (const action of actions) {
    const recorded = recordAuditEvent(db, { accountId, userId, action, address });
    await recorded.catch((err: unknown) => log.error({ err }, 'reset not recorded'));
  }
  await grantWelcomeCredit(ctx, known);
}

/**
 * Ends all sessions, passkeys and open links of a user with a new password: another person may hold them.
 */
export async function endAccess(tx: Executor, userId: string): Promise<void> {
  const { sessions, passkeys, verifications } = schema;
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await tx.delete(passkeys).where(eq(passkeys.userId, userId));
  await tx.delete(verifications).where(eq(verifications.value, userId));
}

/**
 * Reports whether a link changes an address, and was made before the last change of the password: its maker may
 * have known the former password only.
 * @param token of the link; one of another kind, or that cannot be read, is left to better-auth
 * @throws OperationError `bad_request` when it holds text that the database cannot
 */
export async function isOutdatedLink({ db }: Pick<Context, 'db'>, token: string): Promise<boolean> {
  const payload = readPayload(token);
  if (!payload) return false;
  const { users, credentials } = schema;
  const [credential] = await db
    .select({ changedAt: credentials.updatedAt })
    .from(credentials)
    .innerJoin(users, eq(users.id, credentials.userId))
    .where(and(eq(users.email, payload.email), eq(credentials.providerId, 'credential')));
  return credential !== undefined && payload.iat * 1000 < credential.changedAt.getTime();
}

function readPayload(token: string): z.output<typeof payloadSchema> | undefined {
  const [, encoded = ''] = token.split('.');
  const payload = parseJson(Buffer.from(encoded, 'base64url').toString());
  assertStorable(payload);
  return payloadSchema.safeParse(payload).data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deletes sessions, links and challenges that have expired: anybody can have challenges made. */
export async function purgeSessions({ db }: Pick<Context, 'db'>): Promise<void> {
  const { sessions, verifications } = schema;
  await db.delete(verifications).where(lt(verifications.expiresAt, sql`now()`));
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}

import { eq } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';
import { recordAuditEvent } from '../audit/index.ts';
import { revokeAllKeys } from '../keys/index.ts';
import { endAccess } from './end-access.ts';
import { grantWelcomeCredit } from './grant-welcome-credit.ts';

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

import { randomBytes } from 'node:crypto';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { schema, type Tx } from '../../base/database/db.ts';
import { lockOpenAccount } from '../../base/database/lock-account.ts';
import { buildWebhookSecretRow } from '../../io/webhooks/index.ts';

const SECRET_BYTES = 32;

/** Creates a secret as Standard Webhooks asks for: 24 to 64 random bytes in base64 after the prefix. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Gives an account a new webhook secret. The one before signs as well for `graceHours` more.
 * @returns the new secret
 * @throws OperationError `unauthorized` when the account was deleted
 */
export async function rotateWebhookSecret(
  tx: Tx,
  { accountId, graceHours }: { accountId: string; graceHours: number },
): Promise<string> {
  const { webhookSecrets } = schema;
  await lockOpenAccount(tx, accountId);
  const secret = newWebhookSecret();
  // Two sign at most: each makes every delivery longer.
  await tx
    .update(webhookSecrets)
    .set({ expiresAt: sql`now()` })
    .where(and(eq(webhookSecrets.accountId, accountId), isNotNull(webhookSecrets.expiresAt)));
  await tx
    .update(webhookSecrets)
    .set({ expiresAt: sql`now() + ${graceHours} * interval '1 hour'` })
    .where(and(eq(webhookSecrets.accountId, accountId), isNull(webhookSecrets.expiresAt)));
  await tx.insert(webhookSecrets).values(buildWebhookSecretRow(accountId, secret));
  return secret;
}

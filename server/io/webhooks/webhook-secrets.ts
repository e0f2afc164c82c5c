import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { type Executor, schema } from '../../base/database/db.ts';
import { decodeStoredSecret, encodeStoredSecret, webhookPurpose } from '../../base/secrets/index.ts';

const { accounts, webhookSecrets: secrets } = schema;

/**
 * Returns the secrets that currently sign an account's webhooks (`whsec_...`), newest first: two during rotation. A
 * sandbox has those of its account.
 */
export async function listActiveSecrets(db: Executor, accountId: string): Promise<string[]> {
  const rows = await db
    .select({ secret: secrets.secret, owner: secrets.accountId })
    .from(accounts)
    .innerJoin(secrets, eq(secrets.accountId, sql`coalesce(${accounts.sandboxOf}, ${accounts.id})`))
    .where(and(eq(accounts.id, accountId), or(isNull(secrets.expiresAt), gt(secrets.expiresAt, sql`now()`))))
    .orderBy(desc(secrets.createdAt));
  return rows.map(({ secret, owner }) =>
    decodeStoredSecret(Buffer.from(secret), webhookPurpose(owner)).toString(),
  );
}

/** Returns the row that stores a secret of an account. */
export function buildWebhookSecretRow(accountId: string, secret: string): typeof secrets.$inferInsert {
  return { accountId, secret: encodeStoredSecret(Buffer.from(secret), webhookPurpose(accountId)).toString() };
}

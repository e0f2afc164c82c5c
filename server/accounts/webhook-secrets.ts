import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { type Executor, schema } from '../base/db.ts';
import { decodeStoredSecret, encodeStoredSecret, webhookPurpose } from '../secrets/index.ts';

const secrets = schema.webhookSecrets;

/** Returns the secrets that currently sign an account's webhooks (`whsec_...`), newest first: two during rotation. */
export async function listActiveSecrets(db: Executor, accountId: string): Promise<string[]> {
  const rows = await db
    .select({ secret: secrets.secret })
    .from(secrets)
    .where(
      and(eq(secrets.accountId, accountId), or(isNull(secrets.expiresAt), gt(secrets.expiresAt, sql`now()`))),
    )
    .orderBy(desc(secrets.createdAt));
  const purpose = webhookPurpose(accountId);
  return rows.map(({ secret }) => decodeStoredSecret(Buffer.from(secret), purpose).toString());
}

/** Returns the row that stores a secret of an account. */
export function buildWebhookSecretRow(accountId: string, secret: string): typeof secrets.$inferInsert {
  return { accountId, secret: encodeStoredSecret(Buffer.from(secret), webhookPurpose(accountId)).toString() };
}

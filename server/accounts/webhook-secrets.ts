import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { type Executor, schema } from '../db.ts';

const secrets = schema.webhookSecrets;

/** Returns the secrets that currently sign an account's webhooks (`whsec_...`), newest first: two during rotation. */
export async function webhookSecrets(db: Executor, accountId: string): Promise<string[]> {
  const rows = await db
    .select({ secret: secrets.secret })
    .from(secrets)
    .where(
      and(eq(secrets.accountId, accountId), or(isNull(secrets.expiresAt), gt(secrets.expiresAt, sql`now()`))),
    )
    .orderBy(desc(secrets.createdAt));
  return rows.map((row) => row.secret);
}

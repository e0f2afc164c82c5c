import { and, eq, inArray, like, notLike } from 'drizzle-orm';
import { type Db, schema } from '../base/db.ts';
import { readSecretsKeys } from '../base/env.ts';
import type { Logger } from '../base/log.ts';
import { isSealed, keySealPrefix, SEAL_PREFIX } from './sealing.ts';
import { SERVICE_SECRETS } from './service-secret.ts';
import { decodeStoredSecret, encodeStoredSecret, servicePurpose, webhookPurpose } from './stored-secret.ts';

const { serviceSecrets, webhookSecrets } = schema;
/** Rows in memory at once. */
const PAGE_ROWS = 500;

/**
 * Encrypts the stored secrets with the first key of SECRETS_KEY: those that are not yet encrypted, and those that an
 * older key has encrypted, which is then needed no more. Any number of processes may do so at the same time.
 * @throws Error when a secret was encrypted with a key that is not given
 */
export async function sealStoredSecrets({
  db,
  log,
}: {
  readonly db: Db;
  readonly log: Logger;
}): Promise<void> {
  const [key] = readSecretsKeys();
  const changed = (await sealServiceSecrets(db)) + (await sealWebhookSecrets(db, key));
  if (changed > 0) log.info({ secrets: changed }, 'stored secrets were encrypted with the first key');
  if (!key) {
    log.warn('SECRETS_KEY is not set: the secrets that sign webhooks and sessions are stored as they are');
  }
}

/** Reads all of them, and so finds a key that is missing, even when there is none. */
async function sealServiceSecrets(db: Db): Promise<number> {
  const rows = await db
    .select()
    .from(serviceSecrets)
    .where(inArray(serviceSecrets.name, [...SERVICE_SECRETS]));
  const [key] = readSecretsKeys();
  let changed = 0;
  for (const { name, secret } of rows) {
    const purpose = servicePurpose(name);
    const plain = decodeStoredSecret(secret, purpose);
    if (!key || (isSealed(secret) && secret.toString().startsWith(keySealPrefix(key)))) continue;
    await db
      .update(serviceSecrets)
      .set({ secret: encodeStoredSecret(plain, purpose) })
      .where(and(eq(serviceSecrets.name, name), eq(serviceSecrets.secret, secret)));
    changed++;
  }
  return changed;
}

async function sealWebhookSecrets(db: Db, key: Buffer | undefined): Promise<number> {
  const { secret: column } = webhookSecrets;
  // Without a key only the one that is missing is looked for.
  const isOfAnotherKey = key ? notLike(column, `${keySealPrefix(key)}%`) : like(column, `${SEAL_PREFIX}%`);
  for (let changed = 0; ; ) {
    const rows = await db
      .select({ id: webhookSecrets.id, accountId: webhookSecrets.accountId, secret: webhookSecrets.secret })
      .from(webhookSecrets)
      .where(isOfAnotherKey)
      .limit(PAGE_ROWS);
    if (rows.length === 0) return changed;
    for (const { id, accountId, secret } of rows) {
      const purpose = webhookPurpose(accountId);
      const sealed = encodeStoredSecret(decodeStoredSecret(Buffer.from(secret), purpose), purpose).toString();
      await db
        .update(webhookSecrets)
        .set({ secret: sealed })
        .where(and(eq(webhookSecrets.id, id), eq(webhookSecrets.secret, secret)));
    }
    changed += rows.length;
  }
}

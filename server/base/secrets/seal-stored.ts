import { and, eq, inArray, like, notLike } from 'drizzle-orm';
import { type Db, schema } from '../database/db.ts';
import { readSecretsKeys } from '../env.ts';
import type { Logger } from '../log.ts';
import { isSealed, keySealPrefix, SEAL_PREFIX } from './sealing.ts';
import { SERVICE_SECRETS } from './service-secret.ts';
import {
  decodeStoredSecret,
  encodeStoredSecret,
  receiptPurpose,
  servicePurpose,
  webhookPurpose,
} from './stored-secret.ts';

const { receiptKeys, serviceSecrets, webhookSecrets } = schema;
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
  const changed =
    (await sealServiceSecrets(db)) + (await sealReceiptKeys(db)) + (await sealWebhookSecrets(db, key));
  if (changed > 0) log.info({ secrets: changed }, 'stored secrets were encrypted with the first key');
  if (!key) {
    log.warn(
      'SECRETS_KEY is not set: the secrets that sign webhooks, receipts and sessions are stored as they are',
    );
  }
}

/** Reads all of them, and so finds a key that is missing, even when there is none. */
async function sealServiceSecrets(db: Db): Promise<number> {
  const rows = await db
    .select()
    .from(serviceSecrets)
    .where(inArray(serviceSecrets.name, [...SERVICE_SECRETS]));
  return await sealEach(
    rows.map(({ name, secret }) => ({ secret, purpose: servicePurpose(name), name })),
    ({ name, secret }, sealed) =>
      db
        .update(serviceSecrets)
        .set({ secret: sealed })
        .where(and(eq(serviceSecrets.name, name), eq(serviceSecrets.secret, secret))),
  );
}

async function sealReceiptKeys(db: Db): Promise<number> {
  const rows = await db.select().from(receiptKeys);
  return await sealEach(
    rows.map(({ kid, secret }) => ({ secret, purpose: receiptPurpose(kid), kid })),
    ({ kid, secret }, sealed) =>
      db
        .update(receiptKeys)
        .set({ secret: sealed })
        .where(and(eq(receiptKeys.kid, kid), eq(receiptKeys.secret, secret))),
  );
}

/** Reads each secret, and seals it anew where the first key has not sealed it. @returns how many were sealed */
async function sealEach<Row extends { readonly secret: Buffer; readonly purpose: string }>(
  rows: readonly Row[],
  store: (row: Row, sealed: Buffer) => PromiseLike<unknown>,
): Promise<number> {
  const [key] = readSecretsKeys();
  let changed = 0;
  for (const row of rows) {
    const plain = decodeStoredSecret(row.secret, row.purpose);
    if (!key || (isSealed(row.secret) && row.secret.toString().startsWith(keySealPrefix(key)))) continue;
    await store(row, encodeStoredSecret(plain, row.purpose));
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

import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, inArray, like, not, notLike, or, type SQL, sql } from 'drizzle-orm';
import { type Db, schema } from '../database/db.ts';
import { readSecretsKeys } from '../env.ts';
import type { Logger } from '../log.ts';
import { findOutage } from '../outage.ts';
import { getKeyId, keySealPrefix, readKeyId, SEAL_MARK_LENGTH, SEAL_PREFIX } from './sealing.ts';
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

/** Number of stored secrets by the id of the key that has sealed them; null for those that are stored as they are. */
export type SealCounts = ReadonlyMap<string | null, number>;

/** Reports whether a secret is to be sealed by the first key, by the id of the key that has sealed it so far. */
type Chooses = (keyId: string | null) => boolean;

/**
 * Encrypts the stored secrets that are not yet encrypted with the first key of SECRETS_KEY, and checks that a given key
 * opens all others. Those of an older key stay as they are: other processes may lack the first one. Any number of
 * processes may do so at the same time.
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
  const changed = await sealAll(db, (keyId) => keyId === null);
  if (changed > 0) log.info({ secrets: changed }, 'stored secrets were encrypted with the first key');
  if (!key) {
    log.warn(
      'SECRETS_KEY is not set: the secrets that sign webhooks, receipts and sessions are stored as they are',
    );
  }
}

/** Pause between two looks of a process that lacks a key: another one may encrypt its secrets with another one. */
const KEY_PAUSE_MS = 10_000;

/**
 * As {@link sealStoredSecrets}, but waits for as long as a key is missing, and says so in the log.
 * @param options.reportWaiting called once when the wait begins; returns a function that is called at its end
 */
export async function sealOnceKeysAreKnown(
  ctx: Parameters<typeof sealStoredSecrets>[0],
  options: { readonly pauseMs?: number; readonly reportWaiting?: () => Promise<() => Promise<void>> } = {},
): Promise<void> {
  const { pauseMs = KEY_PAUSE_MS, reportWaiting } = options;
  let endWaiting: (() => Promise<void>) | undefined;
  for (;;) {
    try {
      await sealStoredSecrets(ctx);
      return await endWaiting?.();
    } catch (err) {
      if (findOutage(err)?.dependency !== 'secrets key') throw err;
      ctx.log.error({ err }, 'this process lacks a key of SECRETS_KEY, and waits for it');
      endWaiting ??= await reportWaiting?.();
      await wait(pauseMs);
    }
  }
}

/** Lists the ids of the keys that have sealed stored secrets, and that this process lacks. */
export async function listMissingKeys(db: Db): Promise<string[]> {
  const known = readSecretsKeys().map(getKeyId);
  return (await listUsedKeys(db)).filter((id) => !known.includes(id));
}

/** Lists the ids of the keys that have sealed stored secrets. */
export async function listUsedKeys(db: Db): Promise<string[]> {
  const mark = (secret: typeof serviceSecrets.secret | typeof receiptKeys.secret) =>
    sql<Buffer>`substring(${secret} from 1 for ${SEAL_MARK_LENGTH}::int)`;
  const marks = [
    ...(await db.selectDistinct({ mark: mark(serviceSecrets.secret) }).from(serviceSecrets)),
    ...(await db.selectDistinct({ mark: mark(receiptKeys.secret) }).from(receiptKeys)),
    ...(await db
      .selectDistinct({ mark: sql<string>`left(${webhookSecrets.secret}, ${SEAL_MARK_LENGTH}::int)` })
      .from(webhookSecrets)),
  ];
  const used = new Set(marks.map((row) => readKeyId(Buffer.from(row.mark))));
  return [...used].flatMap((id) => (id === null ? [] : id)).toSorted();
}

/**
 * Encrypts all stored secrets with the first key of SECRETS_KEY, so that older keys are needed no more.
 * @returns how many it has encrypted
 * @throws Error when a secret was encrypted with a key that is not given, or none is
 */
export async function resealStoredSecrets(db: Db): Promise<number> {
  const [key] = readSecretsKeys();
  if (!key) throw new Error('SECRETS_KEY is not set: there is no key to encrypt with.');
  return await sealAll(db, (keyId) => keyId !== getKeyId(key));
}

/** Counts the stored secrets by the keys that have sealed them. */
export async function countSeals(db: Db): Promise<SealCounts> {
  const counts = new Map<string | null, number>();
  const rows = [
    ...(await db.select({ secret: serviceSecrets.secret }).from(serviceSecrets)),
    ...(await db.select({ secret: receiptKeys.secret }).from(receiptKeys)),
    ...(await db.select({ secret: webhookSecrets.secret }).from(webhookSecrets)),
  ];
  for (const { secret } of rows) {
    const keyId = readKeyId(Buffer.from(secret));
    counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
  }
  return counts;
}

/** @returns how many were sealed */
async function sealAll(db: Db, chooses: Chooses): Promise<number> {
  const service = await sealServiceSecrets(db, chooses);
  const receipts = await sealReceiptKeys(db, chooses);
  return service + receipts + (await sealWebhookSecrets(db, chooses));
}

/** Reads all of them, and so finds a key that is missing, even when there is none. */
async function sealServiceSecrets(db: Db, chooses: Chooses): Promise<number> {
  const rows = await db
    .select()
    .from(serviceSecrets)
    .where(inArray(serviceSecrets.name, [...SERVICE_SECRETS]));
  return await sealEach(
    rows.map(({ name, secret }) => ({ secret, purpose: servicePurpose(name), name })),
    chooses,
    ({ name, secret }, sealed) =>
      db
        .update(serviceSecrets)
        .set({ secret: sealed })
        .where(and(eq(serviceSecrets.name, name), eq(serviceSecrets.secret, secret))),
  );
}

async function sealReceiptKeys(db: Db, chooses: Chooses): Promise<number> {
  const rows = await db.select().from(receiptKeys);
  return await sealEach(
    rows.map(({ kid, secret }) => ({ secret, purpose: receiptPurpose(kid), kid })),
    chooses,
    ({ kid, secret }, sealed) =>
      db
        .update(receiptKeys)
        .set({ secret: sealed })
        .where(and(eq(receiptKeys.kid, kid), eq(receiptKeys.secret, secret))),
  );
}

/** Reads each secret, and seals those that are chosen. @returns how many were sealed */
async function sealEach<Row extends { readonly secret: Buffer; readonly purpose: string }>(
  rows: readonly Row[],
  chooses: Chooses,
  store: (row: Row, sealed: Buffer) => PromiseLike<unknown>,
): Promise<number> {
  const hasKey = readSecretsKeys().length > 0;
  let changed = 0;
  for (const row of rows) {
    const plain = decodeStoredSecret(row.secret, row.purpose);
    if (!hasKey || !chooses(readKeyId(row.secret))) continue;
    await store(row, encodeStoredSecret(plain, row.purpose));
    changed++;
  }
  return changed;
}

async function sealWebhookSecrets(db: Db, chooses: Chooses): Promise<number> {
  const { secret: column } = webhookSecrets;
  const keys = readSecretsKeys();
  const isSealed = like(column, `${SEAL_PREFIX}%`);
  const isOfKey = (key: Buffer) => like(column, `${keySealPrefix(key)}%`);
  // Of those that stay as they are, only one whose key is missing is looked for.
  const known = keys.map(isOfKey);
  const [unknown] = await listWebhookSecrets(db, and(isSealed, ...known.map(not)), 1);
  if (unknown) decodeStoredSecret(Buffer.from(unknown.secret), webhookPurpose(unknown.accountId));
  const chosen = [...(chooses(null) ? [notLike(column, `${SEAL_PREFIX}%`)] : [])];
  chosen.push(...keys.filter((key) => chooses(getKeyId(key))).map(isOfKey));
  if (keys.length === 0) return 0;
  for (let changed = 0; ; ) {
    const rows = await listWebhookSecrets(db, or(...chosen), PAGE_ROWS);
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

async function listWebhookSecrets(db: Db, where: SQL | undefined, limit: number) {
  return await db
    .select({ id: webhookSecrets.id, accountId: webhookSecrets.accountId, secret: webhookSecrets.secret })
    .from(webhookSecrets)
    .where(where)
    .limit(limit);
}

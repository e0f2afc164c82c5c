import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { createLogger } from '../../../../server/base/log.ts';
import { findOutage } from '../../../../server/base/outage.ts';
import {
  countSeals,
  getKeyId,
  getServiceSecret,
  listMissingKeys,
  resealStoredSecrets,
  sealOnceKeysAreKnown,
  sealStoredSecrets,
} from '../../../../server/base/secrets/index.ts';
import { openAccount, rotateWebhookSecret } from '../../../../server/identity/accounts/index.ts';
import { listActiveSecrets } from '../../../../server/io/webhooks/index.ts';
import { readLocalSecretsKey } from '../../../../server/ops/process/local-secrets-key.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/service/database.ts';

const [OLD, NEW] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const log = createLogger('silent', 'test');

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await database.drop();
});

/** Returns all stored secrets, as text. */
async function stored(): Promise<string[]> {
  const service = await database.db.select().from(schema.serviceSecrets);
  const webhooks = await database.db.select().from(schema.webhookSecrets);
  return [...service.map(({ secret }) => secret.toString('latin1')), ...webhooks.map(({ secret }) => secret)];
}

async function getSecrets(accountId: string) {
  const { db } = database;
  return {
    urls: await getServiceSecret(db, 'result-urls'),
    webhooks: await listActiveSecrets(db, accountId),
  };
}

test('secrets are encrypted at rest from the first start with a key, and the same secrets after it', async () => {
  const { db } = database;
  const { accountId } = await openAccount(db, 'a@example.com');
  const before = await getSecrets(accountId);
  await sealStoredSecrets({ db, log });
  expect((await stored()).filter((text) => text.startsWith('sealed:'))).toEqual([]);
  vi.stubEnv('SECRETS_KEY', OLD);
  await Promise.all([sealStoredSecrets({ db, log }), sealStoredSecrets({ db, log })]);
  for (const text of await stored()) expect(text).toMatch(/^sealed:v1:/);
  expect(await getSecrets(accountId)).toEqual(before);
  await db.transaction((tx) => rotateWebhookSecret(tx, { accountId, graceHours: 1 }));
  expect((await stored()).every((text) => text.startsWith('sealed:v1:'))).toBe(true);
  expect((await listActiveSecrets(db, accountId))[1]).toBe(before.webhooks[0]);
});

test('a start with a new first key leaves what the old one has encrypted to processes without the new one', async () => {
  const { db } = database;
  vi.stubEnv('SECRETS_KEY', OLD);
  const { accountId } = await openAccount(db, 'a@example.com');
  const before = await getSecrets(accountId);
  vi.stubEnv('SECRETS_KEY', `${NEW},${OLD}`);
  await sealStoredSecrets({ db, log });
  expect(await getSecrets(accountId)).toEqual(before);
  vi.stubEnv('SECRETS_KEY', OLD);
  expect(await getSecrets(accountId)).toEqual(before);
});

test('a new first key replaces the old one on request, which can then be left out', async () => {
  const { db } = database;
  vi.stubEnv('SECRETS_KEY', OLD);
  const { accountId } = await openAccount(db, 'a@example.com');
  const before = await getSecrets(accountId);
  vi.stubEnv('SECRETS_KEY', `${NEW},${OLD}`);
  expect(await resealStoredSecrets(db)).toBeGreaterThan(1);
  expect(await resealStoredSecrets(db)).toBe(0);
  expect((await countSeals(db)).size).toBe(1);
  vi.stubEnv('SECRETS_KEY', NEW);
  await sealStoredSecrets({ db, log });
  expect(await getSecrets(accountId)).toEqual(before);
});

test('a secret of a key that this process lacks is an outage, and no fault of the work that needs it', async () => {
  const { db } = database;
  vi.stubEnv('SECRETS_KEY', OLD);
  const { accountId } = await openAccount(db, 'a@example.com');
  vi.stubEnv('SECRETS_KEY', NEW);
  const thrown = await listActiveSecrets(db, accountId).catch((error: unknown) => error);
  expect(findOutage(thrown)).toMatchObject({ code: 'unavailable', dependency: 'secrets key' });
});

test('a start without a key waits for it, with an error in the log, and goes on once it is needed no more', async () => {
  const { db } = database;
  vi.stubEnv('SECRETS_KEY', OLD);
  await openAccount(db, 'a@example.com');
  vi.stubEnv('SECRETS_KEY', NEW);
  expect(await listMissingKeys(db)).toEqual([getKeyId(Buffer.from(OLD, 'base64'))]);
  const errors: string[] = [];
  const logged = createLogger('error', 'test', { write: (line) => errors.push(line) });
  const beats: string[] = [];
  const reportWaiting = async () => {
    beats.push('begin');
    return async () => void beats.push('end');
  };
  const starting = sealOnceKeysAreKnown({ db, log: logged }, { pauseMs: 20, reportWaiting });
  await expect.poll(() => errors.length).toBeGreaterThan(1);
  vi.stubEnv('SECRETS_KEY', `${NEW},${OLD}`);
  expect(beats).toEqual(['begin']);
  await starting;
  expect(await listMissingKeys(db)).toEqual([]);
  expect(beats).toEqual(['begin', 'end']);
  await sealOnceKeysAreKnown({ db, log: logged }, { reportWaiting });
  expect(beats).toHaveLength(2);
});

test.each([
  ['no key', '', 'SECRETS_KEY: is not set'],
  ['another key', NEW, 'SECRETS_KEY: does not contain it'],
])('a start with %s names the one that is missing, and changes nothing', async (_, key, message) => {
  const { db } = database;
  vi.stubEnv('SECRETS_KEY', OLD);
  await openAccount(db, 'a@example.com');
  const before = await stored();
  vi.stubEnv('SECRETS_KEY', key);
  await expect(sealStoredSecrets({ db, log })).rejects.toThrow(message);
  expect(await stored()).toEqual(before);
});

test('the key of a local install is made once, by the first process, and only its owner reads it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-key-'));
  try {
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => readLocalSecretsKey(join(folder, 'data'))),
    );
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0] ?? '', 'base64')).toHaveLength(32);
    const path = join(folder, 'data/secrets.key');
    expect((await readFile(path, 'utf8')).trim()).toBe(keys[0]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

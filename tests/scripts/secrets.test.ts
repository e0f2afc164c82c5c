import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runSecretsCommand } from '../../scripts/commands/secrets-command.ts';
import { schema } from '../../server/base/database/db.ts';
import { readEnv } from '../../server/base/env.ts';
import { getKeyId } from '../../server/base/secrets/index.ts';
import { openAccount } from '../../server/identity/accounts/index.ts';
import { describeProcess } from '../../server/jobs/heartbeats.ts';
import { createTestDatabase, type TestDatabase } from '../support/service/database.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const [OLD, NEW] = [oldKey.toString('base64'), newKey.toString('base64')];

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  vi.stubEnv('SECRETS_KEY', OLD);
  await openAccount(database.db, 'a@example.com');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await database.drop();
});

/** Adds a live process with keys. */
async function addProcess(host: string, keys: string): Promise<void> {
  vi.stubEnv('SECRETS_KEY', keys);
  const facts = await describeProcess(readEnv());
  const id = crypto.randomUUID();
  await database.db
    .insert(schema.processes)
    .values({ id, part: 'runner', host, pid: 7, startedAt: new Date(), facts });
}

test('secrets are sealed again only when every live process has the first key', async () => {
  const { db } = database;
  await addProcess('first', `${NEW},${OLD}`);
  await addProcess('second', OLD);
  vi.stubEnv('SECRETS_KEY', `${NEW},${OLD}`);
  await expect(runSecretsCommand(['reseal'], db)).rejects.toThrow(
    `Nothing was changed: runner 7 on second would lack the key ${getKeyId(newKey)}.`,
  );
  expect(await runSecretsCommand(['status'], db)).toMatchObject([
    { key: getKeyId(newKey), secrets: 0, isGiven: true, isFirst: true, lackedBy: ['runner 7 on second'] },
    { key: getKeyId(oldKey), secrets: expect.any(Number), isFirst: false, lackedBy: [] },
  ]);
  await db.delete(schema.processes);
  await addProcess('second', `${OLD},${NEW}`);
  vi.stubEnv('SECRETS_KEY', `${NEW},${OLD}`);
  expect(await runSecretsCommand(['reseal'], db)).toEqual([{ resealed: expect.any(Number) }]);
  expect(await runSecretsCommand(['status'], db)).toMatchObject([
    { key: getKeyId(newKey), lackedBy: [] },
    { key: getKeyId(oldKey), secrets: 0 },
  ]);
});

test('a process that does not say which keys it has counts as one without', async () => {
  const { db } = database;
  await addProcess('earlier', OLD);
  const { secretsKeys: _, ...facts } = await describeProcess(readEnv());
  await db.update(schema.processes).set({ facts });
  await expect(runSecretsCommand(['reseal'], db)).rejects.toThrow('runner 7 on earlier');
});

test.each([
  ['no command', []],
  ['an unknown command', ['rotate']],
  ['too many words', ['status', 'all']],
])('%s shows how to use it', async (_, args) => {
  await expect(runSecretsCommand(args, database.db)).rejects.toThrow('npm run --silent secrets -- reseal');
});

test('without a key nothing is sealed', async () => {
  vi.stubEnv('SECRETS_KEY', '');
  await expect(runSecretsCommand(['reseal'], database.db)).rejects.toThrow('SECRETS_KEY is not set');
});

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAccountCommand } from '../../scripts/commands/account-command.ts';
import { closeDb, openDb, schema } from '../../server/base/database/db.ts';
import { assertPermission, authenticateKey } from '../../server/identity/keys/index.ts';
import { startPostgres } from '../../server/ops/embedded/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/service/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const inDatabase = (): NodeJS.ProcessEnv => ({ DATABASE_URL: database.url });

/** Runs the command as its own process. */
async function spawnAccount(args: readonly string[], env = inDatabase()) {
  const command = ['--import', 'tsx', 'scripts/account.ts', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    env: { PATH: process.env.PATH, ...env },
  });
  expect(stdout.trim().split('\n')).toHaveLength(1);
  return JSON.parse(stdout);
}

/** Runs the command in this process. */
async function account(args: readonly string[], env = inDatabase()) {
  return JSON.parse(await runAccountCommand(args, env));
}

describe('npm run account', () => {
  test('opens an account, credits it and issues a valid key', async () => {
    const made = await spawnAccount(['--email', 'a@example.com', '--credit-usd', '5']);
    expect(Object.keys(made)).toEqual(['account_id', 'email', 'api_key', 'webhook_secret', 'balance_usd']);
    expect(made).toMatchObject({ email: 'a@example.com', balance_usd: '5.00' });
    expect(made.webhook_secret).toMatch(/^whsec_/);
    expect(await authenticateKey(database.db, made.api_key)).toMatchObject({
      accountId: made.account_id,
      operations: null,
    });
  });

  test('makes a test key of the same account with --test', async () => {
    const live = await account(['--email', 'test@example.com', '--credit-usd', '2']);
    const made = await account(['--email', 'test@example.com', '--credit-usd', '0', '--test']);
    expect(made).toMatchObject({
      account_id: live.account_id,
      webhook_secret: live.webhook_secret,
      balance_usd: '2.00',
      api_key: expect.stringMatching(/^mk_test_/),
    });
    const actor = await authenticateKey(database.db, made.api_key);
    expect(actor.isTest).toBe(true);
    expect(actor.accountId).not.toBe(live.account_id);
    expect(await authenticateKey(database.db, live.api_key)).toMatchObject({ isTest: false });
    expect(live.api_key).not.toMatch(/^mk_test_/);
  });

  test('credits an existing account, and issues another key for chosen operations', async () => {
    const first = await account(['--email', 'b@example.com', '--credit-usd', '0.002']);
    const second = await account([
      ...['--email', 'B@example.com', '--credit-usd', '1.5'],
      ...['--key-name', 'narrow', '--operations', 'media-convert-image'],
    ]);
    expect(second).toMatchObject({ account_id: first.account_id, balance_usd: '1.502' });
    const actor = await authenticateKey(database.db, second.api_key);
    expect(actor.operations).toEqual(['media-convert-image']);
    expect(() => assertPermission(actor, 'media-convert-image')).not.toThrow();
    await authenticateKey(database.db, first.api_key);
  });

  test('says that no service runs on its database, until one does', async () => {
    const notes: string[] = [];
    const order = ['--email', 'served@example.com', '--credit-usd', '0'];
    const run = () => runAccountCommand(order, inDatabase(), (note) => notes.push(note));
    await run();
    expect(notes).toEqual([expect.stringContaining('No service runs on the database of DATABASE_URL.')]);
    const addProcess = (facts: object) =>
      database.db.execute(sql`
        insert into processes (id, part, host, pid, facts, started_at)
        values (${randomUUID()}, 'web', 'test', 1, ${JSON.stringify(facts)}, now())`);
    await addProcess({ waitsForKey: true });
    await run();
    expect(notes).toHaveLength(2);
    await addProcess({});
    await run();
    await database.db.delete(schema.processes);
    expect(notes).toHaveLength(2);
  });

  test.each([
    { flag: '--email', args: ['--credit-usd', '5'] },
    { flag: '--email', args: ['--email', 'no-address', '--credit-usd', '5'] },
    { flag: '--credit-usd', args: ['--email', 'c@example.com'] },
    { flag: '--credit-usd', args: ['--email', 'c@example.com', '--credit-usd', 'five'] },
    { flag: '--credit-usd', args: ['--email', 'c@example.com', '--credit-usd=-5'] },
    { flag: '--credit-usd', args: ['--email', 'c@example.com', '--credit-usd', '0.0000001'] },
    { flag: '--key-name', args: ['--email', 'c@example.com', '--credit-usd', '5', '--key-name', ''] },
    { flag: '--operations', args: ['--email', 'c@example.com', '--credit-usd', '5', '--operations', 'fly'] },
    { flag: '--colour', args: ['--email', 'c@example.com', '--credit-usd', '5', '--colour', 'red'] },
  ])('rejects $args with a message that names $flag, and changes nothing', async ({ flag, args }) => {
    const failure: Error = await account(args).catch((error) => error);
    expect(failure.message.split('\n\n')[0]).toContain(flag);
    const rows = await database.db.$client`select from accounts where email like 'c@%'`;
    expect(rows).toHaveLength(0);
  });

  test('ends with code 1 and prints only to stderr when it is rejected', async () => {
    const failure = await spawnAccount(['--email', 'no-address', '--credit-usd', '5']).catch(
      (error) => error,
    );
    expect(failure).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--email: ') });
    expect(failure.stderr).toContain('npm run --silent account');
  });
});

describe('npm run account without DATABASE_URL', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'darkroom-account-'));
    await chmod(dataDir, 0o755);
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  test('starts and stops the embedded server, or leaves a running one alone', {
    tags: ['long'],
  }, async () => {
    const made = await spawnAccount(['--email', 'a@example.com', '--credit-usd', '5'], { DATA_DIR: dataDir });
    const server = await startPostgres({ dataDir });
    try {
      expect(server.startedHere).toBe(true);
      const again = await account(['--email', 'a@example.com', '--credit-usd', '5'], { DATA_DIR: dataDir });
      expect(again).toMatchObject({ account_id: made.account_id, balance_usd: '10.00' });
      const db = openDb(server.url);
      expect(await authenticateKey(db, again.api_key)).toMatchObject({ accountId: made.account_id });
      await closeDb(db);
    } finally {
      await server.stop();
    }
  });
});

import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillAccount } from '../../../../lab/support/crowded-account.ts';
import { type Db, openDb } from '../../../../server/base/database/db.ts';
import { migrate } from '../../../../server/base/database/migrate.ts';
import { getServiceSecret } from '../../../../server/base/secrets/index.ts';
import { openAccount } from '../../../../server/identity/accounts/index.ts';
import { readBalance, reconcileBalances, topUp } from '../../../../server/money/wallet/index.ts';
import { createBackup, restoreBackup } from '../../../../server/ops/backup/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/service/database.ts';
import { createFormerDatabase, FORMER_JOURNAL } from '../../../support/service/former-database.ts';
import { hold } from '../../../support/service/move-money.ts';

let source: TestDatabase;
let target: TestDatabase;
let folder: string;
let backup: string;
let accountId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'darkroom-backup-'));
  backup = join(folder, 'backup');
  source = await createTestDatabase();
  ({ accountId } = await openAccount(source.db, 'owner@example.com'));
  await topUp(source.db, { accountId, amount: 5_000_000n, idempotencyKey: 'a', reference: 'äöü\t\\N\n' });
  await hold(source.db, { accountId, amount: 1_000_000n, reference: 'job' });
  await fillAccount(source.db, accountId, { jobs: 2_000, entries: 1_000 });
  await createBackup(source.db, backup);
});
afterAll(async () => {
  await source.drop();
  await rm(folder, { recursive: true });
});

/** Restores into a new database, which only one connection uses. */
async function restored<T>(work: (db: Db) => Promise<T>): Promise<T> {
  target = await createTestDatabase({ connectionsMax: 1 });
  try {
    return await work(target.db);
  } finally {
    await target.drop();
  }
}

const dump = async (db: Db, table: string) =>
  await db.$client.unsafe(`select to_jsonb(t) - 'written_in' as row from "${table}" t order by 1`);

test('a backup brings every row back, and money moves on', async () => {
  await restored(async (db) => {
    const { tables } = await restoreBackup(db, backup);
    for (const { name } of tables) expect(await dump(db, name), name).toEqual(await dump(source.db, name));
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['accounts', 'entries', 'jobs', 'users']),
    );
    expect(await readBalance(db, accountId)).toEqual(await readBalance(source.db, accountId));
    expect(await getServiceSecret(db, 'sessions')).toHaveLength(32);
    await topUp(db, { accountId, amount: 1n, idempotencyKey: 'b', reference: 'after' });
    await hold(db, { accountId, amount: 1n, reference: 'after' });
    expect(await reconcileBalances(db)).toEqual({ ok: true, faults: [] });
  });
});

test('a backup is one moment of a database that is being written to', async () => {
  const busy = await createTestDatabase();
  const { accountId: id } = await openAccount(busy.db, 'busy@example.com');
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) {
      await topUp(busy.db, { accountId: id, amount: 1n, idempotencyKey: randomUUID(), reference: 'busy' });
    }
  })();
  const made = await createBackup(busy.db, join(folder, 'busy'));
  isWriting = false;
  await writing;
  await busy.drop();
  expect(made.tables.length).toBeGreaterThan(10);
  await restored(async (db) => {
    await restoreBackup(db, join(folder, 'busy'));
    expect(await reconcileBalances(db)).toEqual({ ok: true, faults: [] });
  });
});

test('a backup of version 0.1.0 is restored, and an older one is not', async () => {
  const path = join(backup, 'manifest.json');
  const original = await readFile(path, 'utf8');
  const write = async (migrations: readonly string[]) =>
    await writeFile(path, JSON.stringify({ ...JSON.parse(original), migrations }));
  const former = FORMER_JOURNAL.map(({ hash }) => hash);
  try {
    await write(former.slice(0, -1));
    await restored((db) => expect(restoreBackup(db, backup)).rejects.toThrow('another version'));
    await write(former);
    await restored(async (db) => {
      await restoreBackup(db, backup);
      expect(await readBalance(db, accountId)).toEqual(await readBalance(source.db, accountId));
    });
  } finally {
    await writeFile(path, original);
  }
});

test('a backup of an upgraded database is restored', async () => {
  const upgraded = await createFormerDatabase();
  await migrate(upgraded.url);
  const { accountId: id } = await openAccount(upgraded.db, 'upgraded@example.com');
  await createBackup(upgraded.db, join(folder, 'upgraded'));
  await upgraded.drop();
  await restored(async (db) => {
    await restoreBackup(db, join(folder, 'upgraded'));
    expect(await dump(db, 'accounts')).toMatchObject([{ row: { id } }]);
  });
});

test('only the owner may read a backup, and an existing folder is not overwritten', async () => {
  const names = await readdir(backup);
  for (const path of ['', ...names].map((name) => join(backup, name))) {
    expect((await stat(path)).mode & 0o077, path).toBe(0);
  }
  await expect(createBackup(source.db, backup)).rejects.toThrow('exists');
  expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/part$/));
});

test('a database with accounts, or that another process uses, is left as it is', async () => {
  await restored(async (db) => {
    const { accountId: other } = await openAccount(db, 'other@example.com');
    await expect(restoreBackup(db, backup)).rejects.toThrow('holds accounts');
    expect((await readBalance(db, other)).balance).toBe(0n);
  });
  await restored(async (db) => {
    const neighbour = await createNeighbour(target.url);
    await expect(restoreBackup(db, backup)).rejects.toThrow('Stop the service first');
    await neighbour.$client.end();
  });
});

test.each([
  [
    'a changed file',
    'entries.jsonl.gz',
    (bytes: Buffer) => bytes.fill(0, bytes.length - 6),
    'is missing or damaged',
  ],
  ['a file cut short', 'jobs.jsonl.gz', (bytes: Buffer) => bytes.subarray(0, 100), 'is missing or damaged'],
  ['another version', 'manifest.json', (bytes: Buffer) => dropMigration(bytes), 'another version'],
])('%s is refused, and nothing is written', async (_, name, change, problem) => {
  const path = join(backup, name);
  const original = await readFile(path);
  await writeFile(path, change(Buffer.from(original)));
  try {
    await restored(async (db) => {
      await expect(restoreBackup(db, backup)).rejects.toThrow(problem);
      expect(await dump(db, 'accounts')).toEqual([]);
      expect(await dump(db, 'ledger_accounts')).toHaveLength(2);
    });
  } finally {
    await writeFile(path, original);
  }
});

function dropMigration(bytes: Buffer): Buffer {
  const manifest = JSON.parse(bytes.toString());
  return Buffer.from(JSON.stringify({ ...manifest, migrations: manifest.migrations.slice(1) }));
}

async function createNeighbour(url: string): Promise<Db> {
  const db = openDb(url, { connectionsMax: 1 });
  await db.$client`select 1`;
  return db;
}

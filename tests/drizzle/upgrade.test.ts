import { afterEach, expect, test } from 'vitest';
import baseline from '../../drizzle/migrations/meta/_journal.json' with { type: 'json' };
import { BASELINE, migrate } from '../../server/base/database/migrate.ts';
import { openAccount } from '../../server/identity/accounts/index.ts';
import { readBalance, topUp } from '../../server/money/wallet/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/service/database.ts';
import { describeSchema } from '../support/service/describe-schema.ts';
import { createFormerDatabase, FORMER_JOURNAL, migrateAsFormer } from '../support/service/former-database.ts';

let database: TestDatabase;
let opened: TestDatabase[] = [];
afterEach(async () => {
  for (const each of opened) await each.drop();
  opened = [];
});

async function open(making: Promise<TestDatabase>): Promise<void> {
  database = await making;
  opened.push(database);
}

const readJournal = async () =>
  [
    ...(await database.db
      .$client`select hash, created_at as when from drizzle.__drizzle_migrations order by id`),
  ].map(({ hash, when }) => ({ hash, when: Number(when) }));

// MD5 of the same lists in a database that those migrations made.
test('the baseline makes what the 39 migrations of version 0.1.0 made', async () => {
  await open(createFormerDatabase());
  expect(await describeSchema(database.db.$client)).toEqual({
    columns: '315 c4c479ccce5db534cbe560af9ed6b1ab',
    constraints: '314 bf4e9ff221bac2c356c77c05ff33e414',
    functions: '8 3eaf053ddcb35a50e5f7f692a1d160c9',
    indexes: '99 ed74ec14488eb08666298f61ef058106',
    relations: '147 99caf2f2b8840e04a6b8d3da6b2fe361',
    sequences: '6 e405c29a4254410c166df88ced4075d5',
    triggers: '14 9c3296b86517cd151d0f3970c0da5f7f',
    types: '8 5464df496defcdc410bba7d11ab49d61',
    views: '1 ead31a95e7879e0b265db4a51698df91',
  });
  const { db } = database;
  expect(await db.$client`select kind, balance_micro_usd from ledger_accounts order by kind`).toEqual([
    { kind: 'funding', balance_micro_usd: '0' },
    { kind: 'revenue', balance_micro_usd: '0' },
  ]);
});

test('the baseline bears the time of the last migration of version 0.1.0', () => {
  const last = FORMER_JOURNAL.at(-1);
  expect(baseline.entries[0]).toMatchObject({ tag: '0000_baseline', when: last?.when });
  expect(BASELINE).toMatchObject({ createdAtMs: last?.when, formerHash: last?.hash });
});

test('a new database gets the schema that an upgraded one has', async () => {
  await open(createTestDatabase({ connectionsMax: 1 }));
  const { db, url } = database;
  const schema = await describeSchema(db.$client);
  await db.$client.unsafe('drop schema public cascade; drop schema drizzle cascade; create schema public');
  await migrate(url);
  expect(await describeSchema(db.$client)).toEqual(schema);
  await open(createFormerDatabase());
  await migrate(database.url);
  expect(await describeSchema(database.db.$client)).toEqual(schema);
});

test('a database of version 0.1.0 is upgraded, and keeps its rows and its journal', async () => {
  await open(createFormerDatabase());
  const { db, url } = database;
  const { accountId } = await openAccount(db, 'owner@example.com');
  await topUp(db, { accountId, amount: 5n, idempotencyKey: 'a', reference: 'before' });
  await migrate(url);
  expect(await readBalance(db, accountId)).toMatchObject({ balance: 5n });
  expect((await readJournal()).slice(0, FORMER_JOURNAL.length)).toEqual(FORMER_JOURNAL);
});

test('an older database is refused with the version to pass through, and left as it is', async () => {
  await open(createFormerDatabase(FORMER_JOURNAL.length - 1));
  await expect(migrate(database.url)).rejects.toThrow('Start version 0.1.0 on it once');
  expect(await readJournal()).toEqual(FORMER_JOURNAL.slice(0, -1));
});

test('processes of version 0.1.0 start on a database of this version, next to its own processes', async () => {
  await open(createTestDatabase({ connectionsMax: 1 }));
  const journal = await readJournal();
  await Promise.all([migrateAsFormer(database), migrate(database.url)]);
  expect(await readJournal()).toEqual(journal);
  await open(createFormerDatabase());
  await Promise.all([migrate(database.url), migrateAsFormer(database), migrate(database.url)]);
  await migrateAsFormer(database);
  expect((await readJournal()).slice(0, FORMER_JOURNAL.length)).toEqual(FORMER_JOURNAL);
});

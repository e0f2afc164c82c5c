import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb, type Db, openDb } from '../../../server/base/database/db.ts';
import { createTestDatabase, type TestDatabase } from '../../support/service/database.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb(database.url, { connectionsMax: 1 });
});
afterAll(async () => {
  await closeDb(db);
  await database.drop();
});

/** Counts the statements that the connection holds whose text contains a word. */
async function countPrepared(word: string): Promise<number> {
  const rows = await db.execute<{ statement: string }>(sql`select statement from pg_prepared_statements`);
  return rows.filter(({ statement }) => statement.includes(word)).length;
}

test('a statement that comes again is prepared once, in and out of transactions', async () => {
  const ask = (value: number) => sql`select ${value}::int + 1 as often`;
  for (const value of [1, 2, 3]) expect(await db.execute(ask(value))).toEqual([{ often: value + 1 }]);
  await db.transaction(async (tx) => {
    expect(await tx.execute(ask(4))).toEqual([{ often: 5 }]);
    await tx.transaction(async (inner) => expect(await inner.execute(ask(5))).toEqual([{ often: 6 }]));
  });
  expect(await countPrepared('as often')).toBe(1);
});

test('a statement of a transaction alone is prepared as well', async () => {
  for (const value of [1, 2]) {
    await db.transaction(async (tx) => {
      expect(await tx.execute(sql`select ${value}::int as inside`)).toEqual([{ inside: value }]);
    });
  }
  expect(await countPrepared('as inside')).toBe(1);
});

test('a connection holds a bounded number of statements, whatever texts come', async () => {
  for (let length = 1; length <= 600; length++) {
    const list = sql.raw(Array.from({ length }, (_, at) => at).join(','));
    for (let time = 0; time < 2; time++) {
      await db.execute(sql`select 1 as bounded where ${1}::int in (${list})`);
    }
  }
  expect(await countPrepared('as bounded')).toBeLessThanOrEqual(500);
  expect(await countPrepared('as bounded')).toBeGreaterThan(100);
});

test('statements that are sent together fail with the first fault', async () => {
  const fail = (tx: Pick<Db, 'execute'>) =>
    Promise.all([
      tx.execute(sql`select 1 / ${0}::int as quotient`),
      tx.execute(sql`select ${1}::int as after_quotient`),
    ]);
  for (let time = 0; time < 3; time++) {
    await expect(db.transaction(fail)).rejects.toMatchObject({ cause: { code: '22012' } });
  }
  expect(await db.execute(sql`select ${2}::int as well`)).toEqual([{ well: 2 }]);
});

test('a statement survives a change of its result', async () => {
  await db.execute(sql`create table changing (id int)`);
  await db.execute(sql`insert into changing values (7)`);
  const read = () => db.execute(sql`select * from changing where id > ${0}::int`);
  for (let time = 0; time < 3; time++) expect(await read()).toEqual([{ id: 7 }]);
  await db.execute(sql`alter table changing add column name text default 'new'`);
  expect(await read()).toEqual([{ id: 7, name: 'new' }]);
});

test('no statement waits behind another that waits for a lock', async () => {
  const pool = openDb(database.url, { connectionsMax: 3 });
  const read = (from: SQL) => pool.execute(sql`select id from ${from} where id > ${0}::int`);
  const [locked, free] = [sql`locked_table`, sql`free_table`];
  for (const table of [locked, free]) {
    await pool.execute(sql`create table ${table} (id int)`);
    for (let time = 0; time < 3; time++) await read(table);
  }
  let isFree = false;
  let waiting: Promise<unknown> | undefined;
  await pool.transaction(async (tx) => {
    await tx.execute(sql`lock table ${locked}`);
    waiting = read(locked);
    // More at once than there are connections.
    await Promise.all(Array.from({ length: 8 }, () => read(free)));
    isFree = true;
  });
  await waiting;
  expect(isFree).toBe(true);
  await closeDb(pool);
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeDb, openDb, setStatementTimeout } from '../../../server/base/database/db.ts';
import { createTestDatabase, type TestDatabase } from '../../support/service/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const TIMEOUT = sql`show statement_timeout`;

describe('a statement', () => {
  test('is cancelled when it takes too long', async () => {
    const db = openDb(database.url, { connectionsMax: 1, statementTimeoutMs: 100 });
    await expect(db.execute(sql`select pg_sleep(50)`)).rejects.toMatchObject({ cause: { code: '57014' } });
    expect(await db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await closeDb(db);
  });

  test('has a timeout of 30 s, unless its transaction sets a longer one', async () => {
    expect(await database.db.execute(TIMEOUT)).toEqual([{ statement_timeout: '30s' }]);
    await database.db.transaction(async (tx) => {
      await setStatementTimeout(tx, { timeoutMs: 600_000 });
      expect(await tx.execute(TIMEOUT)).toEqual([{ statement_timeout: '10min' }]);
    });
    expect(await database.db.execute(TIMEOUT)).toEqual([{ statement_timeout: '30s' }]);
  });
});

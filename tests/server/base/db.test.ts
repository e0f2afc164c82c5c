import { EventEmitter, once } from 'node:events';
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

describe('a session', () => {
  test('ends an idle transaction, and gives up on a peer that is gone', async () => {
    // Over a socket in the file system PostgreSQL shows 0 for what it would apply to TCP.
    const settings = await database.db.execute<{ name: string; reset_val: string }>(
      sql`select name, reset_val from pg_settings
        where name like 'tcp\\_%' or name = 'idle_in_transaction_session_timeout'`,
    );
    expect(Object.fromEntries(settings.map(({ name, reset_val }) => [name, Number(reset_val)]))).toEqual({
      idle_in_transaction_session_timeout: 60_000,
      tcp_keepalives_idle: 5,
      tcp_keepalives_interval: 2,
      tcp_keepalives_count: 3,
      tcp_user_timeout: 30_000,
    });
  });

  test('ends with a transaction that is left idle, whose locks others then get', async () => {
    const db = openDb(database.url, { connectionsMax: 1, idleTransactionMs: 200, recoveryMs: 10_000 });
    const lock = sql`select pg_advisory_xact_lock(1)`;
    const steps = new EventEmitter();
    const locked = once(steps, 'locked');
    const left = db.transaction(async (tx) => {
      await tx.execute(lock);
      const resumed = once(steps, 'resumed');
      steps.emit('locked');
      await resumed;
      await tx.execute(sql`select 1`);
    });
    const outcome = left.then(
      () => 'committed',
      () => 'failed',
    );
    await locked;
    await database.db.transaction((tx) => tx.execute(lock));
    steps.emit('resumed');
    expect(await outcome).toBe('failed');
    expect(await db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await closeDb(db);
  });
});

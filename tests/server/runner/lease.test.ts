import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Lease, openLease } from '../../../server/runner/dispatch/lease.ts';
import { createTestDatabase, type TestDatabase } from '../../support/service/database.ts';

let database: TestDatabase;
let lease: Lease;

beforeEach(async () => {
  database = await createTestDatabase();
  lease = await openLease(database.url);
});
afterEach(async () => {
  await lease.close();
  await database.drop();
});

test('a slow database does not lose the lease', { timeout: 90_000 }, async () => {
  await lease.register('worker');
  await database.db.execute(sql`create function take_time() returns trigger language plpgsql as
    $$ begin perform pg_sleep(4); return null; end $$`);
  await database.db.execute(sql`create trigger slow before update on graphile_worker._private_jobs
    for each statement execute function take_time()`);
  let isLost = false;
  void lease.lost.then(() => {
    isLost = true;
  });
  // As many as are due while the first waits for its reply; the last would have its own after 16 s.
  await Promise.all(Array.from({ length: 4 }, () => lease.beat()));
  expect(isLost).toBe(false);
  await lease.beat();
  expect(isLost).toBe(false);
});

test('a closed connection loses the lease', async () => {
  await lease.register('worker');
  await database.db.execute(sql`select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`);
  await lease.lost;
});

test('a chore stays locked, however long it takes', async () => {
  const { db } = database;
  await lease.register('worker');
  await db.execute(sql`select graphile_worker.add_job('clean-up', '{}')`);
  // Not yet so long that graphile-worker itself would free it: it might come first.
  await db.execute(
    sql`update graphile_worker._private_jobs set locked_by = 'worker', locked_at = now() - interval '3 hours'`,
  );
  await lease.beat();
  const fresh = sql`select from graphile_worker.jobs where locked_at > now() - interval '2 hours'`;
  expect(await db.execute(fresh)).toHaveLength(1);
});

import { eq, isNotNull, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { claimEntry, enqueue } from '../../../../server/base/queue/index.ts';
import { openAccount } from '../../../../server/identity/accounts/index.ts';
import { type Lease, openLease, sweepRunners } from '../../../../server/jobs/runner/lease.ts';
import { addTasks, claimTask, finishTask, listTaskRuns } from '../../../../server/jobs/scheduled-tasks.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/service/database.ts';

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

function watchLoss({ lost }: Lease): { readonly isLost: boolean } {
  const state = { isLost: false };
  void lost.then(() => {
    state.isLost = true;
  });
  return state;
}

const holder = sql`from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
const closeConnections = () => database.db.execute(sql`select pg_terminate_backend(pid) ${holder}`);

test('a slow database does not lose the lease', { tags: ['long'], timeout: 90_000 }, async () => {
  const { db } = database;
  await db.execute(sql`alter table runners rename to registered`);
  await db.execute(sql`create view runners as select registered.* from registered, pg_sleep(4)`);
  const loss = watchLoss(lease);
  // As many as are due while the first waits for its reply; the last would have its own after 16 s.
  await Promise.all(Array.from({ length: 4 }, () => lease.beat()));
  expect(loss.isLost).toBe(false);
  await lease.beat();
  expect(loss.isLost).toBe(false);
  await db.execute(sql`drop view runners`);
  await db.execute(sql`alter table registered rename to runners`);
});

test('a closed connection loses the lease', async () => {
  await closeConnections();
  await lease.lost;
});

test('a connection that dies silently loses the lease at a beat', {
  tags: ['long'],
  timeout: 90_000,
}, async () => {
  const loss = watchLoss(lease);
  await lease.beat();
  expect(loss.isLost).toBe(false);
  const [backend] = await database.db.execute<{ pid: number }>(sql`select pid ${holder}`);
  if (!backend) throw new Error('no backend holds the lock');
  process.kill(backend.pid, 'SIGSTOP');
  try {
    await lease.beat();
    await lease.lost;
  } finally {
    process.kill(backend.pid, 'SIGCONT');
  }
});

test('a takeover by others loses the lease at a beat, though the connection lives', async () => {
  await database.db.delete(schema.runners).where(eq(schema.runners.id, lease.workerId));
  await lease.beat();
  await lease.lost;
});

test('an entry that a worker took after it was found dead is put back', async () => {
  const { db } = database;
  const { accountId } = await openAccount(db, 'owner@example.com');
  const take = async (id: string, workerId: string) => {
    const entry = { id, lane: 'delivery', accountId } as const;
    await enqueue(db, entry);
    expect(await claimEntry(db, entry, workerId)).toBe(true);
  };
  await take('late', 'dead');
  await take('own', lease.workerId);
  await sweepRunners(db);
  const taken = await db
    .select({ id: schema.queueEntries.id })
    .from(schema.queueEntries)
    .where(isNotNull(schema.queueEntries.lockedBy));
  expect(taken).toEqual([{ id: 'own' }]);
});

describe('a task', () => {
  const schedule = { everyMinutes: 60, atMinute: 23 };
  const claim = (workerId: string) => claimTask(database.db, workerId, ['purge']);
  const outcome = (durationMs: number) => ({ durationMs, fault: null });

  beforeEach(async () => {
    await addTasks(database.db, [{ name: 'purge', ...schedule }]);
    await database.db.update(schema.scheduledTasks).set({ runAt: new Date(0) });
  });

  test('stays with a runner that lives, however long it takes', async () => {
    expect(await claim(lease.workerId)).toMatchObject({ name: 'purge' });
    await lease.beat();
    expect(await sweepRunners(database.db)).toEqual([]);
    expect(await claim('other')).toBeUndefined();
  });

  test('of a dead runner is taken over once its lease is lost, and a late end changes nothing', async () => {
    const { db } = database;
    const dead = await claim(lease.workerId);
    await closeConnections();
    await lease.lost;
    // The server releases the lock a moment after the connection.
    await expect.poll(() => sweepRunners(db)).toEqual([lease.workerId]);
    const other = await claim('other');
    if (!dead || !other) throw new Error('no claim');
    expect(other.attempt).toBe(dead.attempt + 1);
    const before = await db.select().from(schema.scheduledTasks);
    expect(await finishTask(db, dead, schedule, outcome(1))).toBe(false);
    expect(await db.select().from(schema.scheduledTasks)).toEqual(before);
    expect(await listTaskRuns(db)).toEqual([]);
    expect(await finishTask(db, other, schedule, outcome(2))).toBe(true);
    expect(await listTaskRuns(db)).toMatchObject([{ name: 'purge', durationMs: 2 }]);
  });

  test('of a dead runner that no other has taken over yet is not ended late, either', async () => {
    const dead = await claim(lease.workerId);
    await closeConnections();
    await expect.poll(() => sweepRunners(database.db)).toEqual([lease.workerId]);
    expect(dead && (await finishTask(database.db, dead, schedule, outcome(1)))).toBe(false);
    expect(await claim('other')).toMatchObject({ name: 'purge' });
  });

  test('that a closing runner has not ended is free at once', async () => {
    const leaving = await openLease(database.url);
    await claim(leaving.workerId);
    await leaving.close();
    expect(await claim('other')).toMatchObject({ name: 'purge' });
  });
});

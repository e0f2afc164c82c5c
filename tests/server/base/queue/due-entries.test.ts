import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { schema } from '../../../../server/base/database/db.ts';
import { claimEntry, enqueue, listDueEntries } from '../../../../server/base/queue/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/service/database.ts';

const LANE = 'interactive';
let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** Queues entries of so many accounts, each of which had a turn. */
async function crowd(accounts: number, options: { readonly runAt?: string } = {}): Promise<void> {
  await database.db.execute(sql`
    with crowd as (select gen_random_uuid() as account_id from generate_series(1, ${accounts}::int)),
    turned as (insert into queue_turns (lane, account_id, taken_at) select ${LANE}, account_id, now() from crowd)
    insert into queue_entries (id, lane, account_id, run_at)
    select concat(account_id, n), ${LANE}, account_id, now() + ${options.runAt ?? '-1 minute'}::interval
    from crowd, generate_series(1, 3) n`);
}

async function queue(ids: readonly string[]): Promise<string> {
  const accountId = randomUUID();
  for (const id of ids) await enqueue(database.db, { id, lane: LANE, accountId });
  return accountId;
}

const list = (knownAccounts: readonly string[] = []) =>
  listDueEntries(database.db, LANE, { limit: 32, knownAccounts });

test('accounts come in the order of their work, their last turn and their entries', async () => {
  await queue(['one', 'two', 'three']);
  await queue(['four', 'five']);
  const first = await list();
  expect(first.map(({ id }) => id)).toEqual(['one', 'four', 'two', 'five', 'three']);
  if (first[0]) expect(await claimEntry(database.db, first[0], 'worker')).toBe(true);
  expect((await list()).map(({ id }) => id)).toEqual(['four', 'five', 'two', 'three']);
});

test('a due entry is found behind those of any number of accounts that are not due', async () => {
  await crowd(500, { runAt: '1 hour' });
  await queue(['due']);
  for (let round = 0; round < 5; round++) expect((await list()).map(({ id }) => id)).toEqual(['due']);
});

test('an account that is known is looked at, however many wait', async () => {
  await crowd(500);
  const known = await queue(['new']);
  for (let round = 0; round < 5; round++) {
    const entries = await list([known]);
    expect(entries).toHaveLength(32);
    expect(entries[0]?.id).toBe('new');
  }
});

test('every account has its turn before any has many', async () => {
  await crowd(200);
  const turns = new Map<string, number>();
  for (let claims = 0; claims < 400; claims++) {
    const [entry] = await list();
    if (!entry || !(await claimEntry(database.db, entry, 'worker'))) throw new Error('nothing to claim');
    await database.db.delete(schema.queueEntries).where(sql`id = ${entry.id}`);
    turns.set(entry.accountId, (turns.get(entry.accountId) ?? 0) + 1);
  }
  // In turn each would have two. An account without one leads any draw that it is in: about one in three.
  expect(turns.size).toBe(200);
});

test('entries whose host has all that it may have keep no runner from finding others', async () => {
  const bounds = { accountMax: 2, hostMax: 4 };
  await database.db.execute(sql`
    insert into queue_entries (id, lane, account_id, host, run_at, locked_by)
    select concat('slow-', n), 'delivery', gen_random_uuid(), 'slow.example', now() - interval '1 minute',
      case when n <= 4 then 'worker' end
    from generate_series(1, 2000) n`);
  await enqueue(database.db, { id: 'fast', lane: 'delivery', accountId: randomUUID(), host: 'fast.example' });
  for (let round = 0; round < 5; round++) {
    const entries = await listDueEntries(database.db, 'delivery', { limit: 32, bounds });
    expect(entries.map(({ id }) => id)).toEqual(['fast']);
  }
});

import { type SQL, sql } from 'drizzle-orm';
import type { Db, Executor } from '../database/db.ts';
import type { LaneLimits, QueueEntry } from './queue-entry.ts';

/** Class of the advisory locks that make takers of a bounded lane count one after the other: "turn" in ASCII. */
const LOCK_CLASS = 0x7475726e;

/**
 * Takes an entry for a worker, and notes its account's turn.
 * @returns false when another worker has it, it is not due, or a bound is reached
 */
export async function claimEntry(
  db: Db,
  entry: QueueEntry,
  workerId: string,
  bounds?: LaneLimits,
): Promise<boolean> {
  if (!bounds) return await claimRow(db, entry, workerId);
  return await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK_CLASS}, hashtext(${entry.lane}))`);
    return await claimRow(tx, entry, workerId, isWithin(entry, bounds));
  });
}

async function claimRow(
  db: Executor,
  { id, lane, accountId }: QueueEntry,
  workerId: string,
  condition: SQL = sql`true`,
): Promise<boolean> {
  const taken = await db.execute(sql`
    with taken as (
      update queue_entries set locked_by = ${workerId}, claimed_at = now()
      where id = (
        select id from queue_entries e
        where id = ${id} and lane = ${lane} and locked_by is null and run_at <= now() and ${condition} for update skip locked
      )
      returning id
    )
    insert into queue_turns (lane, account_id, taken_at)
    select ${lane}, ${accountId}::uuid, clock_timestamp() from taken
    on conflict (lane, account_id) do update set taken_at = excluded.taken_at
    returning lane`);
  return taken.length > 0;
}

/** Condition that holds for an entry `e` while neither its account nor its host has all that it may have. */
function isWithin({ lane, accountId }: QueueEntry, { accountMax, hostMax }: LaneLimits): SQL {
  const taken = sql`select count(*) from queue_entries o where o.lane = ${lane} and o.locked_by is not null`;
  return sql`(${taken} and o.account_id = ${accountId}::uuid) < ${accountMax}::int
    and (${taken} and o.host = e.host) < ${hostMax}::int`;
}

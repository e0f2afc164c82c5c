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
  if (!bounds) return await takeRow(db, entry, workerId, selectFree(entry));
  return await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK_CLASS}, hashtext(${entry.lane}))`);
    return await takeRow(tx, entry, workerId, selectFree(entry, isWithin(entry, bounds)));
  });
}

/**
 * Returns the parts of a statement that take the entry of a job for a worker, as the table `taken`, and note its account's
 * turn. The transaction then holds the job's row, too. They wait for neither: a transition that has the job's row may
 * wait for the entry. None is taken when another worker has it, it is not due, or another transaction has the job's row.
 */
export function takingJobEntry(entry: QueueEntry, workerId: string): { taken: SQL; turned: SQL } {
  const { id, lane } = entry;
  const free = sql`select e.id from queue_entries e join jobs j on j.id = e.id
    where e.id = ${id} and e.lane = ${lane} and e.locked_by is null and e.run_at <= now() ${lockWithJob}`;
  return taking(entry, workerId, free);
}

/**
 * Removes the entry of a job that a worker has taken although it had ended. Any other entry stays.
 */
export async function removeEndedEntry(db: Executor, id: string, workerId: string): Promise<void> {
  await db.execute(sql`delete from queue_entries e using jobs j
    where e.id = ${id} and e.locked_by = ${workerId} and j.id = e.id and j.status not in ('QUEUED', 'PROCESSING')`);
}

/** Clause that locks an entry `e` and its job `j` without waiting. */
export const lockWithJob = sql`for update of e skip locked for no key update of j skip locked`;

function selectFree({ id, lane }: QueueEntry, condition: SQL = sql`true`): SQL {
  return sql`select id from queue_entries e
    where id = ${id} and lane = ${lane} and locked_by is null and run_at <= now() and ${condition} for update skip locked`;
}

/** @param free selects and locks the entry if it may be taken */
function taking({ lane, accountId }: QueueEntry, workerId: string, free: SQL): { taken: SQL; turned: SQL } {
  return {
    taken: sql`update queue_entries set locked_by = ${workerId}, claimed_at = now() where id = (${free}) returning id`,
    turned: sql`
      insert into queue_turns (lane, account_id, taken_at)
      select ${lane}, ${accountId}::uuid, clock_timestamp() from taken
      on conflict (lane, account_id) do update set taken_at = excluded.taken_at
      returning lane`,
  };
}

async function takeRow(db: Executor, entry: QueueEntry, workerId: string, free: SQL): Promise<boolean> {
  const { taken, turned } = taking(entry, workerId, free);
  return (await db.execute(sql`with taken as (${taken}) ${turned}`)).length > 0;
}

/** Condition that holds for an entry `e` while neither its account nor its host has all that it may have. */
function isWithin({ lane, accountId }: QueueEntry, { accountMax, hostMax }: LaneLimits): SQL {
  const taken = sql`select count(*) from queue_entries o where o.lane = ${lane} and o.locked_by is not null`;
  return sql`(${taken} and o.account_id = ${accountId}::uuid) < ${accountMax}::int
    and (${taken} and o.host = e.host) < ${hostMax}::int`;
}

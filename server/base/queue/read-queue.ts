import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { closeDb, type Executor, openDb, schema } from '../database/db.ts';
import { readOnly } from '../database/read-only.ts';
import { QUEUE_CHANNEL, QUEUE_LANES, type QueueLane } from './queue-entry.ts';

/** Entries of a lane over all machines. */
export interface LaneDepth {
  readonly lane: QueueLane;
  /** Entries that no runner has taken. */
  readonly waiting: number;
  readonly taken: number;
  /** Time for which the entry that is due the longest has waited; 0 when none is due. */
  readonly oldestSeconds: number;
}

/** Counts the queue's entries by lane; lanes without entries are left out. */
export async function readQueueDepth(db: Executor): Promise<LaneDepth[]> {
  type Row = { lane: QueueLane; waiting: number; taken: number; oldest_seconds: number };
  const rows = await db.execute<Row>(
    readOnly(sql`
    select lane, count(*) filter (where locked_by is null)::int as waiting,
      count(locked_by)::int as taken,
      greatest(0, coalesce(extract(epoch from now() - min(run_at) filter (where locked_by is null)), 0))::float8
        as oldest_seconds
    from queue_entries group by lane order by lane`),
  );
  return rows.map(({ oldest_seconds, ...lane }) => ({ ...lane, oldestSeconds: oldest_seconds }));
}

/** Counts the queue's entries of every lane. */
export async function readLaneDepths(db: Executor): Promise<LaneDepth[]> {
  const depths = await readQueueDepth(db);
  return QUEUE_LANES.map(
    (lane) => depths.find((depth) => depth.lane === lane) ?? { lane, waiting: 0, taken: 0, oldestSeconds: 0 },
  );
}

/** Counts the runners that are registered, and may thus hold entries. */
export async function countRunners(db: Executor): Promise<number> {
  return await db.$count(schema.runners);
}

/** Returns a condition that holds for ids whose entry a worker has. */
export function isEntryTaken(id: AnyPgColumn): SQL {
  // Not an `exists`, which lets the planner read all taken entries for a few ids.
  return sql`(select e.locked_by from queue_entries e where e.id = ${qualify(id)}) is not null`;
}

/** Returns a condition that holds for ids whose entry waits for self-hosted workers, and none has a lease on it. */
export function isEntryUnleased(id: AnyPgColumn): SQL {
  return sql`exists (select from queue_entries e where e.id = ${qualify(id)} and e.lane = 'own'
    and (e.locked_by is null or e.leased_until < now()))`;
}

/** Returns an expression for the seconds for which workers had an entry before; 0 without an entry. */
export function selectWorkedSeconds(id: AnyPgColumn): SQL<number> {
  return sql`coalesce((select e.worked_seconds from queue_entries e where e.id = ${qualify(id)}), 0)`;
}

/** Names a column with its table, which the ORM leaves out in statements on one table. */
function qualify(column: AnyPgColumn): SQL {
  return sql`${column.table}.${sql.identifier(column.name)}`;
}

/** Reports whether an entry is in a lane. */
export async function isInLane(db: Executor, id: string, lane: QueueLane): Promise<boolean> {
  const found = await db.execute(
    readOnly(sql`select from queue_entries where id = ${id} and lane = ${lane}`),
  );
  return found.length > 0;
}

/**
 * Watches for new entries, over every reconnection. Each watch has its own connection: the shared listener of a
 * pool that lost its server hangs when it is left and joined again.
 * @param onEntry called for each lane that has some; without a lane after a gap, when any lane may have
 * @returns a function that ends it
 * @throws when the database cannot be reached
 */
export async function watchQueue(
  url: string,
  onEntry: (lane?: string) => void,
): Promise<() => Promise<void>> {
  const db = openDb(url, { connectionsMax: 1 });
  const end = () => closeDb(db);
  try {
    await db.$client.listen(QUEUE_CHANNEL, onEntry, () => onEntry());
    return end;
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

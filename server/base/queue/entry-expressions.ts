import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Executor } from '../database/db.ts';
import { readOnly } from '../database/read-only.ts';
import type { QueueLane } from './queue-entry.ts';

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

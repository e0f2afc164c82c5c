import { sql } from 'drizzle-orm';
import type { Executor } from '../database/db.ts';
import { QUEUE_CHANNEL, type QueueLane } from './queue-entry.ts';
import { unlock } from './release-entry.ts';

/**
 * Moves an entry to another lane, where it is due at once, as part of the caller's transaction. One that is there
 * already stays as it is.
 * @param host receiving host, for lanes that have bounds by host
 */
export async function moveEntry(
  db: Executor,
  { id, lane, host }: { readonly id: string; readonly lane: QueueLane; readonly host: string },
): Promise<void> {
  await db.execute(sql`
    with moved as (
      update queue_entries set lane = ${lane}, host = ${host}, run_at = now(), failures = 0, ${unlock}
      where id = ${id} and lane <> ${lane} returning lane
    )
    select pg_notify(${QUEUE_CHANNEL}, lane) from moved`);
}

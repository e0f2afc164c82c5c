import { sql } from 'drizzle-orm';
import type { Executor } from '../database/db.ts';
import { QUEUE_CHANNEL, type QueueEntry } from './queue-entry.ts';

export interface NewEntry extends QueueEntry {
  /** Receiving host, for lanes that have bounds by host. */
  readonly host?: string;
  /** Earliest start; immediately when absent. */
  readonly runAt?: Date;
}

/**
 * Queues an entry as part of the caller's transaction: rolled back with it, and invisible to runners before its
 * commit, which wakes them. An entry of the same id is rescheduled for its new time.
 */
export async function enqueue(db: Executor, { id, lane, accountId, host, runAt }: NewEntry): Promise<void> {
  await db.execute(sql`
    with queued as (
      insert into queue_entries (id, lane, account_id, host, run_at)
      values (${id}, ${lane}, ${accountId}::uuid, ${host ?? null}, coalesce(${runAt?.toISOString() ?? null}::timestamptz, now()))
      on conflict (id) do update
        set run_at = excluded.run_at, failures = 0, locked_by = null, claimed_at = null, leased_until = null, worked_seconds = 0
      returning lane
    )
    select pg_notify(${QUEUE_CHANNEL}, lane) from queued where ${runAt === undefined}::boolean`);
}

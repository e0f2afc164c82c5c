import { sql } from 'drizzle-orm';
import { type Executor, schema } from '../base/db.ts';
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
  const { queueEntries } = schema;
  const due = { runAt: runAt ?? sql`now()`, failures: 0, lockedBy: null, claimedAt: null, workedSeconds: 0 };
  await db
    .insert(queueEntries)
    .values({ id, lane, accountId, host: host ?? null, ...due })
    .onConflictDoUpdate({ target: queueEntries.id, set: due });
  if (!runAt) await db.execute(sql`select pg_notify(${QUEUE_CHANNEL}, ${lane})`);
}

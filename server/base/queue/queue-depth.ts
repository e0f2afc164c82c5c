import { sql } from 'drizzle-orm';
import { type Executor, schema } from '../database/db.ts';
import { readOnly } from '../database/read-only.ts';
import { QUEUE_LANES, type QueueLane } from './queue-entry.ts';

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

import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Executor, schema } from '../base/db.ts';
import { QUEUE_CHANNEL } from './queue-entry.ts';

const { queueEntries } = schema;
/** Longest pause: an outage may end at any moment. */
const PAUSE_SECONDS_MAX = 300;
/** Assignments that free an entry for other workers, and count the time of its worker. */
export const unlock = sql`locked_by = null, claimed_at = null,
  worked_seconds = worked_seconds + greatest(0, coalesce(extract(epoch from now() - claimed_at), 0))`;
const announce = sql`select pg_notify(${QUEUE_CHANNEL}, lane) from put_back group by lane`;

/**
 * Puts an entry back that the worker has taken; other workers may take it at once.
 * @param options.hasFailed makes it wait first: a second, and longer after each further failure, up to five minutes
 */
export async function releaseEntry(
  db: Executor,
  id: string,
  workerId: string,
  { hasFailed }: { readonly hasFailed: boolean },
): Promise<void> {
  const isOwn = and(eq(queueEntries.id, id), eq(queueEntries.lockedBy, workerId));
  const failed = sql`failures = failures + 1,
    run_at = now() + least(exp(least(failures, 10)), ${PAUSE_SECONDS_MAX}) * interval '1 second'`;
  await db.execute(sql`with put_back as (
    update queue_entries set ${unlock} ${hasFailed ? sql`, ${failed}` : sql``} where ${isOwn} returning lane)
    ${announce}`);
}

/**
 * Puts back what workers have taken that are registered no more: one whose claim waited for the database may have it
 * only after its runner was found dead.
 */
export async function releaseAbandonedEntries(db: Executor): Promise<void> {
  const { runners } = schema;
  const isAbandoned = sql`locked_by is not null and not exists (select from ${runners} where ${runners.id} = locked_by)`;
  await db.execute(sql`with put_back as (
    update queue_entries set ${unlock} where ${isAbandoned} returning lane)
    ${announce}`);
}

/** Puts back everything that workers have taken. */
export async function releaseAllEntries(db: Executor, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  await db.execute(sql`with put_back as (
    update queue_entries set ${unlock} where ${inArray(queueEntries.lockedBy, [...workerIds])} returning lane)
    ${announce}`);
}

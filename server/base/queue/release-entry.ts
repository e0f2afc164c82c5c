import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Executor, schema } from '../database/db.ts';
import { QUEUE_CHANNEL } from './queue-entry.ts';

const { queueEntries } = schema;
/** Longest pause: an outage may end at any moment. */
const PAUSE_SECONDS_MAX = 300;
/** Assignments that free an entry for other workers, and count the time of its worker. */
export const unlock = sql`locked_by = null, claimed_at = null, leased_until = null,
  worked_seconds = worked_seconds + greatest(0, coalesce(extract(epoch from now() - claimed_at), 0))`;
/** Assignments that let an entry wait after a failure: longer after each further one. */
export const pause = sql`failures = failures + 1,
  run_at = now() + least(exp(least(failures, 10)), ${PAUSE_SECONDS_MAX}) * interval '1 second'`;
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
  await db.execute(sql`with put_back as (
    update queue_entries set ${unlock} ${hasFailed ? sql`, ${pause}` : sql``} where ${isOwn} returning lane)
    ${announce}`);
}

/**
 * Puts back what workers have taken that are registered no more: one whose claim waited for the database may have it
 * only after its runner was found dead.
 */
export async function releaseAbandonedEntries(db: Executor): Promise<void> {
  const { runners } = schema;
  const isKnown = sql`exists (select from ${runners} where ${runners.id} = locked_by)`;
  const isAbandoned = sql`locked_by is not null and leased_until is null and not ${isKnown}`;
  await db.execute(sql`with put_back as (
    update queue_entries set ${unlock} where ${isAbandoned} returning lane)
    ${announce}`);
}

/** Puts back what an account's own workers, or those of every account, have taken on leases that ran out. */
export async function releaseLapsedEntries(db: Executor, accountId?: string): Promise<void> {
  const isOfAccount = accountId === undefined ? sql`true` : sql`account_id = ${accountId}::uuid`;
  await db.execute(sql`update queue_entries set ${unlock}
    where lane = 'own' and ${isOfAccount} and locked_by is not null and leased_until < now()`);
}

/** Puts back everything that workers have taken. */
export async function releaseAllEntries(db: Executor, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  await db.execute(sql`with put_back as (
    update queue_entries set ${unlock} where ${inArray(queueEntries.lockedBy, [...workerIds])} returning lane)
    ${announce}`);
}

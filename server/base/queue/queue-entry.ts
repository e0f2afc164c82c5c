import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { LANES } from '../../../models/core/operation/job.ts';
import { type Executor, schema } from '../database/db.ts';
import { writeTogether } from '../database/queries.ts';

const { queueEntries } = schema;

/**
 * Lanes of runs, of results on their way to the client's bucket, of webhook deliveries, and of runs that accounts leave
 * to machines of their own: no runner takes any of the last.
 */
export const QUEUE_LANES = [...LANES, 'output', 'delivery', 'own'] as const;

export type QueueLane = (typeof QUEUE_LANES)[number];

/** Entry of the queue: a job or a delivery. */
export interface QueueEntry {
  /** The id of the job or delivery. */
  readonly id: string;
  readonly lane: QueueLane;
  readonly accountId: string;
}

/** Bounds on the entries of a lane that all runners together work on at once. */
export interface LaneLimits {
  /** Limit for one account. */
  readonly accountMax: number;
  /** Limit for one receiving host. */
  readonly hostMax: number;
}

/** Channel on which new entries are announced, by their lane. */
export const QUEUE_CHANNEL = 'queue_entries';

/** Longest pause: an outage may end at any moment. */
const PAUSE_SECONDS_MAX = 300;

/** Assignments that free an entry for other workers, and count the time of its worker. */
export const unlock = sql`locked_by = null, claimed_at = null, leased_until = null,
  worked_seconds = worked_seconds + greatest(0, coalesce(extract(epoch from now() - claimed_at), 0))`;

/** Assignments that let an entry wait after a failure: longer after each further one. */
export const pause = sql`failures = failures + 1,
  run_at = now() + least(exp(least(failures, 10)), ${PAUSE_SECONDS_MAX}) * interval '1 second'`;

const announce = sql`select pg_notify(${QUEUE_CHANNEL}, lane) from put_back group by lane`;

interface NewEntry extends QueueEntry {
  /** Receiving host, for lanes that have bounds by host. */
  readonly host?: string;
  /** Earliest start; immediately when absent. */
  readonly runAt?: Date;
}

/**
 * Queues an entry as part of the caller's transaction: rolled back with it, and invisible to runners before its
 * commit, which wakes them. An entry of the same id is rescheduled for its new time.
 */
export async function enqueue(db: Executor, entry: NewEntry): Promise<void> {
  const notifications = entry.runAt ? [] : [waking(entry.lane)];
  await writeTogether(db, { writes: [queueing(entry)], notifications });
}

/** Returns the write that queues an entry, for a statement that also evaluates {@link waking}. */
export function queueing({ id, lane, accountId, host, runAt }: NewEntry): SQL {
  return sql`
    insert into queue_entries (id, lane, account_id, host, run_at)
    values (${id}, ${lane}, ${accountId}::uuid, ${host ?? null}, coalesce(${runAt?.toISOString() ?? null}::timestamptz, now()))
    on conflict (id) do update
      set run_at = excluded.run_at, failures = 0, locked_by = null, claimed_at = null, leased_until = null, worked_seconds = 0`;
}

/** Returns the expression that wakes the runners of a lane, once the transaction is committed. */
export function waking(lane: QueueLane): SQL {
  return sql`pg_notify(${QUEUE_CHANNEL}, ${lane})`;
}

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

/** Removes the entry of a job or delivery that has ended, in the transaction that ends it. */
export async function removeEntry(db: Executor, id: string): Promise<void> {
  await db.execute(removing(id));
}

/** Returns the write that removes an entry, as {@link removeEntry} does. */
export function removing(id: string): SQL {
  return sql`delete from queue_entries where id = ${id}`;
}

/** Removes the entries of accounts that are deleted. */
export async function getRemoveEntries(db: Executor, accountIds: readonly string[]): Promise<void> {
  const { queueEntries, selfHostedWorkers } = schema;
  await db.delete(queueEntries).where(inArray(queueEntries.accountId, [...accountIds]));
  await db.delete(selfHostedWorkers).where(inArray(selfHostedWorkers.accountId, [...accountIds]));
}

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

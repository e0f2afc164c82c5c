import { sql } from 'drizzle-orm';
import { buildOnce } from '../../../models/core/build-once.ts';
import type { Db, Executor } from '../database/db.ts';
import { readOnly } from '../database/read-only.ts';
import { SharedLook } from '../shared-look.ts';
import { lockWithJob } from './claim-entry.ts';
import { pause, releaseLapsedEntries, unlock } from './queue-entry.ts';

/** Time after its latest request for which a machine of an account counts as present. */
const PRESENT_SECONDS = 300;

/** Time for which a machine of an account may be silent before others get its entry. */
export const LEASE_SECONDS = 12;

const leaseEnd = sql`now() + ${LEASE_SECONDS}::int * interval '1 second'`;

/** Entries that a self-hosted worker may take. */
export interface LeaseQuery {
  readonly accountId: string;
  /** Models of jobs that the worker takes. */
  readonly modelIds: readonly string[];
}

/**
 * Takes the account's entry that is due the longest for one of its self-hosted workers, as part of the caller's transaction,
 * which then holds the job's row, too. The entry belongs to the worker for `LEASE_SECONDS`.
 * @returns the id of the job; undefined when none is due
 */
export async function leaseEntry(
  db: Executor,
  { accountId, modelIds }: LeaseQuery,
): Promise<string | undefined> {
  await releaseLapsedEntries(db, accountId);
  const [taken] = await db.execute<{ id: string }>(sql`
    update queue_entries set locked_by = 'own', claimed_at = now(), leased_until = ${leaseEnd}
    where id = (
      select e.id from queue_entries e join jobs j on j.id = e.id
      where e.lane = 'own' and e.account_id = ${accountId}::uuid and e.locked_by is null and e.run_at <= now()
        and j.operation_id in (select json_array_elements_text(${JSON.stringify(modelIds)}::json))
      order by e.run_at, e.position limit 1 ${lockWithJob}
    )
    returning id`);
  return taken?.id;
}

/** Pause between two looks for entries that are due. */
const LOOK_EVERY_MS = 1_000;

const getLook = buildOnce((db: Db) => new SharedLook((ids) => listDueAccounts(db, ids), LOOK_EVERY_MS));

/**
 * Waits until a look finds an entry of the account that its self-hosted workers may take. All waiting workers share the
 * look.
 * @returns false as soon as the signal aborts
 */
export async function awaitOwnEntry(db: Db, accountId: string, signal: AbortSignal): Promise<boolean> {
  return (await getLook(db).next(accountId, signal, (isDue) => isDue === true)) ?? false;
}

async function listDueAccounts(db: Db, accountIds: readonly string[]): Promise<Map<string, true>> {
  const rows = await db.execute<{ account_id: string }>(
    readOnly(sql`
    select distinct account_id from queue_entries
    where lane = 'own' and run_at <= now() and (locked_by is null or leased_until < now())
      and account_id in (select json_array_elements_text(${JSON.stringify(accountIds)}::json)::uuid)`),
  );
  return new Map(rows.map((row) => [row.account_id, true]));
}

/** Claim of an account's own worker, which the number of its attempt fences. */
interface LeasedAttempt {
  readonly id: string;
  readonly attempt: number;
}

/**
 * Prolongs a lease. One that ran out begins again while no other worker has taken the entry.
 * @returns false when a later attempt has fenced this one, or the job has ended
 */
export async function renewLease(db: Executor, leased: LeasedAttempt): Promise<boolean> {
  const renewed = await db.execute(sql`
    update queue_entries e
    set locked_by = 'own', claimed_at = coalesce(e.claimed_at, now()), leased_until = ${leaseEnd}
    where ${isNewest(leased)} returning e.id`);
  return renewed.length > 0;
}

/**
 * Puts a leased entry back, for other workers to take.
 * @param options.hasFailed makes it wait first: a second, and longer after each further failure
 * @returns false when it was put back before, or the lease is no longer this attempt's
 */
export async function endLease(
  db: Executor,
  leased: LeasedAttempt,
  { hasFailed = false }: { readonly hasFailed?: boolean } = {},
): Promise<boolean> {
  const ended = await db.execute(sql`
    update queue_entries e set ${unlock} ${hasFailed ? sql`, ${pause}` : sql``}
    where ${isNewest(leased)} and e.locked_by is not null returning e.id`);
  return ended.length > 0;
}

function isNewest({ id, attempt }: LeasedAttempt) {
  return sql`e.id = ${id} and e.lane = 'own'
    and exists (select from jobs j where j.id = e.id and j.attempt = ${attempt}::int and j.status = 'PROCESSING')`;
}

/** Names of machines that an account may have; those that were not seen for so many days are forgotten. */
export const WORKERS = { max: 100, days: 7 } as const;

/** Notes that a machine of an account has asked for a job. */
export async function noteOwnWorker(db: Executor, accountId: string, name: string): Promise<void> {
  await db.execute(sql`
    insert into queue_turns (lane, account_id, taken_at) values ('own', ${accountId}::uuid, clock_timestamp())
    on conflict (lane, account_id) do update set taken_at = excluded.taken_at`);
  await db.execute(sql`
    with forgotten as (
      delete from self_hosted_workers where account_id = ${accountId}::uuid
        and last_seen_at < now() - ${WORKERS.days}::int * interval '1 day' and name <> ${name}
    )
    insert into self_hosted_workers (account_id, name, last_seen_at)
    select ${accountId}::uuid, ${name}, clock_timestamp()
    where (select count(*) from self_hosted_workers w where w.account_id = ${accountId}::uuid and w.name <> ${name}) < ${WORKERS.max}::int
    on conflict (account_id, name) do update set last_seen_at = excluded.last_seen_at`);
}

/** Reports whether a machine of an account has asked for a job in the last minutes. */
export async function hasOwnWorker(db: Executor, accountId: string): Promise<boolean> {
  const found = await db.execute(
    readOnly(sql`
    select from queue_turns where lane = 'own' and account_id = ${accountId}::uuid
      and taken_at > now() - ${PRESENT_SECONDS}::int * interval '1 second'`),
  );
  return found.length > 0;
}

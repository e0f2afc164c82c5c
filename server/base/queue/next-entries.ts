import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { buildOnce } from '../../../models/core/build-once.ts';
import type { Db, Executor } from '../database/db.ts';
import { readOnly } from '../database/read-only.ts';
import { SharedLook } from '../shared-look.ts';
import type { LaneLimits, QueueEntry, QueueLane } from './queue-entry.ts';

export interface DueOptions {
  /** Limit on the entries returned. */
  readonly limit: number;
  readonly bounds?: LaneLimits;
  /** Accounts to look at in addition to the drawn ones: those whose entries the caller considers already. */
  readonly knownAccounts?: readonly string[];
}

const UNLIMITED = 2 ** 31 - 1;
/** Accounts that one look draws from those that wait. Up to so many, all are seen. */
const ACCOUNTS_DRAWN = 64;
/** Entries of an account that a look reads, as a multiple of its equal share of the limit. */
const SHARES_READ = 4;
/** Pause between two looks at the lanes. */
const LOOK_EVERY_MS = 2_000;

/**
 * Lists entries of a lane that are due, in the order in which they should start: the account with the fewest at
 * work comes first, then the one whose last turn is the longest ago. An account's own keep their order.
 *
 * Looks at accounts that follow each other from a random place on where many wait, and at those that the caller knows.
 * The cost therefore depends neither on the number of entries nor on that of accounts, but for entries whose host is
 * full, which are passed over. Runners that ask at once get different entries, and an account that has long waited is
 * the first of whichever draw it falls into.
 */
export async function listDueEntries(
  db: Executor,
  lane: QueueLane,
  { limit, bounds, knownAccounts = [] }: DueOptions,
): Promise<QueueEntry[]> {
  const { accountMax = UNLIMITED, hostMax = UNLIMITED } = bounds ?? {};
  // Only lanes with bounds have hosts, which no index holds.
  const hasFreeHost = bounds ? sql`(host is null or host not in (select host from full_hosts))` : sql`true`;
  const rows = await db.execute<{ id: string; account_id: string }>(
    readOnly(sql`
    with recursive full_hosts as (
      select host from queue_entries where lane = ${lane} and locked_by is not null and host is not null
      group by host having count(*) >= ${hostMax}::int
    ),
    ${drawAccounts(lane, hasFreeHost)},
    looked_at as (
      select account_id from drawn where account_id is not null
      union select unnest(string_to_array(${knownAccounts.join(',')}, ','))::uuid
    )
    select e.id, e.account_id
    from looked_at w
    cross join lateral (
      select count(*) as count from queue_entries
      where lane = ${lane} and account_id = w.account_id and locked_by is not null
    ) busy
    cross join lateral (
      select id, account_id, position, row_number() over (order by run_at, position) as rank
      from queue_entries
      where lane = ${lane} and account_id = w.account_id and locked_by is null and run_at <= now()
        and ${hasFreeHost}
      order by run_at, position
      limit least(${limit}::int, ceil(${limit * SHARES_READ}::float8 / (select count(*) from looked_at))::int)
    ) e
    left join queue_turns t on t.lane = ${lane} and t.account_id = e.account_id
    where busy.count + e.rank <= ${accountMax}::int
    order by busy.count + e.rank, t.taken_at nulls first, e.position
    limit ${limit}`),
  );
  return rows.map(({ id, account_id }) => ({ id, lane, accountId: account_id }));
}

const getLook = buildOnce((db: Db) => new SharedLook((lanes) => listDueLanes(db, lanes), LOOK_EVERY_MS));

/**
 * Waits until a look at the lanes of the queue, which all that wait share, finds an entry that is due: it may come due
 * without notice. Ends as soon as the signal aborts.
 * @param wantsAny tells whether any look will do
 */
export async function awaitLook(
  db: Db,
  lane: QueueLane,
  signal: AbortSignal,
  wantsAny: () => boolean,
): Promise<void> {
  await getLook(db).next(lane, signal, (isDue) => isDue === true || wantsAny());
}

async function listDueLanes(db: Db, lanes: readonly string[]): Promise<Map<string, true>> {
  const rows = await db.execute<{ lane: string }>(
    readOnly(sql`
    select lane from json_array_elements_text(${JSON.stringify(lanes)}::json) due_lanes (lane)
    where exists (
      select from queue_entries e where e.lane = due_lanes.lane and e.locked_by is null and e.run_at <= now())`),
  );
  return new Map(rows.map(({ lane }) => [lane, true]));
}

/**
 * Writes the tables of a query: `drawn` are accounts with due entries, those after a random place first, then those
 * before it.
 * @param mayStart condition on an entry: accounts with none that may start take no place in the draw
 */
function drawAccounts(lane: QueueLane, mayStart: SQL): SQL {
  const start = sql`${randomUUID()}::uuid`;
  const next = (condition: SQL) => sql`(select account_id from queue_entries
    where lane = ${lane} and locked_by is null and run_at <= now() and ${mayStart} and ${condition}
    order by account_id limit 1)`;
  const walk = (name: SQL, first: SQL, following: SQL) => sql`${name} (account_id) as (
    ${next(first)} union all select ${next(following)} from ${name} walked where walked.account_id is not null)`;
  return sql`${walk(sql`after_start`, sql`account_id >= ${start}`, sql`account_id > walked.account_id`)},
    ${walk(sql`before_start`, sql`account_id < ${start}`, sql`account_id > walked.account_id and account_id < ${start}`)},
    drawn as (
      select account_id from (select * from after_start union all select * from before_start) walks
      limit ${ACCOUNTS_DRAWN}
    )`;
}

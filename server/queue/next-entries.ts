import { sql } from 'drizzle-orm';
import type { Executor } from '../base/db.ts';
import type { LaneLimits, QueueEntry, QueueLane } from './queue-entry.ts';

export interface DueOptions {
  /** Limit on the entries returned. */
  readonly limit: number;
  readonly bounds?: LaneLimits;
}

const UNLIMITED = 2 ** 31 - 1;

/**
 * Lists the entries of a lane that are due, in the order in which they should start: the account with the fewest at
 * work comes first, then the one whose last turn is the longest ago. An account's own keep their order. Costs an index
 * access for each account that waits, however many entries it has.
 */
export async function listDueEntries(
  db: Executor,
  lane: QueueLane,
  { limit, bounds }: DueOptions,
): Promise<QueueEntry[]> {
  const { accountMax = UNLIMITED, hostMax = UNLIMITED } = bounds ?? {};
  const rows = await db.execute<{ id: string; account_id: string }>(sql`
    with recursive waiting (account_id) as (
      (select account_id from queue_entries where lane = ${lane} and locked_by is null order by account_id limit 1)
      union all
      select (select e.account_id from queue_entries e
        where e.lane = ${lane} and e.locked_by is null and e.account_id > w.account_id order by e.account_id limit 1)
      from waiting w where w.account_id is not null
    ),
    taken as (select account_id, host from queue_entries where lane = ${lane} and locked_by is not null),
    busy as (select account_id, count(*) as count from taken group by account_id),
    full_hosts as (select host from taken where host is not null group by host having count(*) >= ${hostMax}::int)
    select e.id, e.account_id
    from waiting w
    cross join lateral (
      select id, account_id, position, row_number() over (order by run_at, position) as rank
      from queue_entries
      where lane = ${lane} and account_id = w.account_id and locked_by is null and run_at <= now()
        and (host is null or host not in (select host from full_hosts))
      order by run_at, position limit ${limit}
    ) e
    left join busy b on b.account_id = e.account_id
    left join queue_turns t on t.lane = ${lane} and t.account_id = e.account_id
    where coalesce(b.count, 0) + e.rank <= ${accountMax}::int
    order by coalesce(b.count, 0) + e.rank, t.taken_at nulls first, e.position
    limit ${limit}`);
  return rows.map(({ id, account_id }) => ({ id, lane, accountId: account_id }));
}

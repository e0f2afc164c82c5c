import { sql } from 'drizzle-orm';
import type { Executor } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';

/** Counts all accounts' deliveries of the last 24 hours by state. */
export async function countDeliveries(db: Executor): Promise<{ state: string; deliveries: number }[]> {
  return await db.execute<{ state: string; deliveries: number }>(
    readOnly(sql`
    select state, count(*)::int as deliveries from webhook_deliveries
    where created_at > now() - interval '24 hours' group by state`),
  );
}

export interface FailingHost {
  readonly host: string;
  /** Deliveries that are tried again. */
  readonly pending: number;
  /** Deliveries that were given up. */
  readonly failed: number;
  /** HTTP status or error of the latest attempt at one of them; null when it is no longer known. */
  readonly lastFault: string | null;
}

/** Lists the hosts to which deliveries of the last 24 hours fail, those with the most first. */
export async function listFailingHosts(db: Executor, limit: number): Promise<FailingHost[]> {
  return await db.execute<{ host: string; pending: number; failed: number; lastFault: string | null }>(
    readOnly(sql`
    with failing as (
      select id, state, substring(url from '^[a-z]+://(?:[^/?#]*@)?([^/?#]*)') as host from webhook_deliveries
      where created_at > now() - interval '24 hours' and (state = 'failed' or (state = 'pending' and attempts > 0))
    ),
    hosts as (
      select host, count(*) filter (where state = 'pending')::int as pending,
        count(*) filter (where state = 'failed')::int as failed
      from failing group by host order by count(*) desc, host limit ${limit}
    )
    select host, pending, failed, (
      select coalesce(error, 'HTTP ' || response_status) from webhook_delivery_attempts a
      join failing f on f.id = a.delivery_id where f.host = hosts.host order by a.at desc limit 1
    ) as "lastFault"
    from hosts order by pending + failed desc, host`),
  );
}

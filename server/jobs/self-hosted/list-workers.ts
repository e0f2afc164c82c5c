import { sql } from 'drizzle-orm';
import type { Db } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';
import { WORKERS } from '../../base/queue/index.ts';

/** Machine of an account that asks for its jobs. */
export interface SelfHostedWorker {
  readonly name: string;
  /** Time at which it asked for a job or reported on one, in the form of ISO 8601. */
  readonly last_seen_at: string;
  /** request_ids of the jobs that it runs. */
  readonly jobs: readonly string[];
}

/** Lists the machines of an account that were seen within a week, the latest first. */
export async function listWorkers(
  { db }: { readonly db: Db },
  accountId: string,
): Promise<SelfHostedWorker[]> {
  const rows = await db.execute<{ name: string; seen: Date | string; jobs: string[] }>(
    readOnly(sql`
    select w.name, greatest(w.last_seen_at, max(j.updated_at)) as seen,
      coalesce(json_agg(j.id order by j.id) filter (where j.id is not null), '[]') as jobs
    from self_hosted_workers w left join (
      jobs j join queue_entries e on e.id = j.id and e.lane = 'own' and e.locked_by is not null
    ) on j.account_id = w.account_id and j.worker = w.name and j.status = 'PROCESSING'
    where w.account_id = ${accountId}::uuid
      and (w.last_seen_at > now() - ${WORKERS.days}::int * interval '1 day' or j.id is not null)
    group by w.name, w.last_seen_at order by seen desc, w.name`),
  );
  return rows.map(({ name, seen, jobs }) => ({ name, last_seen_at: new Date(seen).toISOString(), jobs }));
}

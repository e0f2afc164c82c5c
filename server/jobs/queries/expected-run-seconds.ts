import { sql } from 'drizzle-orm';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import type { Executor } from '../../base/database/db.ts';
import { readOnly } from '../../base/database/read-only.ts';

/** Latest jobs of the service that are looked at: a bound on the time of the look-up. */
const JOBS_READ = 5_000;
/** Fewer runs give no estimate. */
const RUNS_MIN = 3;

/**
 * Estimates the run time of a job: the median time per price of the operation's latest runs, times its price. Prices
 * grow with the pixels or seconds of the input, as run times do.
 * @returns seconds; null while too few have run, and for a free run, of which the price tells nothing
 */
export async function expectedRunSeconds(
  db: Executor,
  { operationId, price }: { operationId: string; price: MicroUsd },
): Promise<number | null> {
  if (price === 0n) return null;
  const [row] = await db.execute<{ runs: number; seconds: number | null }>(
    readOnly(sql`
    with latest as (
      select operation_id, status, started_at, completed_at, charged_micro_usd as charged
      from jobs order by created_at desc limit ${JOBS_READ}
    )
    select count(*)::int as runs,
      (percentile_cont(0.5) within group (order by extract(epoch from completed_at - started_at) / charged)
        * ${price}::bigint)::float8 as seconds
    from latest where operation_id = ${operationId} and status = 'COMPLETED' and charged > 0`),
  );
  if (!row || row.runs < RUNS_MIN || row.seconds === null) return null;
  return Math.round(row.seconds * 10) / 10;
}

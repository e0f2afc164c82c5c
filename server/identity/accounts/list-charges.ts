import { sql } from 'drizzle-orm';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { type Executor, schema } from '../../base/database/db.ts';
import { isSentBy } from '../../base/database/queries.ts';
import { readOnly } from '../../base/database/read-only.ts';

/** Charges of one day (UTC), model and key. */
export interface UsageCharge {
  /** `2026-11-23` */
  readonly day: string;
  readonly modelId: string;
  /** null: the studio, by a session. */
  readonly keyId: string | null;
  readonly charged: MicroUsd;
  readonly jobs: number;
}

interface UsageQuery {
  readonly accountId: string;
  /** Only jobs of these keys or tokens; every job when absent. */
  readonly keyIds?: readonly string[] | undefined;
  /** First day, included. */
  readonly from: string;
  /** Last day, included. */
  readonly to: string;
}

/**
 * Sums what an account's jobs have cost, oldest day first. Jobs count on the day (UTC) of their request, while they
 * are kept.
 */
export async function listCharges(
  db: Executor,
  { accountId, keyIds, from, to }: UsageQuery,
): Promise<UsageCharge[]> {
  type Row = { day: string; model_id: string; key_id: string | null; charged: string; jobs: number };
  const isSent = isSentBy(schema.jobs, keyIds) ?? sql`true`;
  const rows = await db.execute<Row>(
    readOnly(sql`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, operation_id as model_id, key_id,
      sum(charged_micro_usd)::bigint as charged, count(*)::int as jobs
    from jobs
    where account_id = ${accountId} and status = 'COMPLETED' and ${isSent}
      and created_at >= ${from}::timestamp at time zone 'UTC'
      and created_at < (${to}::timestamp + interval '1 day') at time zone 'UTC'
    group by 1, 2, 3 order by 1, 2, 3`),
  );
  return rows.map(({ day, model_id, key_id, charged, jobs }) => {
    return { day, modelId: model_id, keyId: key_id, charged: BigInt(charged), jobs };
  });
}

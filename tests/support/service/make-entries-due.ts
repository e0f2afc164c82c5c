import { sql } from 'drizzle-orm';
import type { Db } from '../../../server/base/database/db.ts';

/**
 * Makes waiting queue entries due now: failed ones wait for seconds, which a test cannot spare.
 * @returns how many
 */
export async function makeEntriesDue(db: Db): Promise<number> {
  const rows = await db.execute(sql`with hurried as (
    update queue_entries set run_at = now() where locked_by is null returning lane)
    select pg_notify('queue_entries', lane) from hurried`);
  return rows.length;
}

import { eq, sql } from 'drizzle-orm';
import { type Db, schema } from '../../../server/base/database/db.ts';
import type { JobRecord } from './outcome.ts';

/**
 * Reads all jobs of an account.
 * @param runsToEnd request_id of each run that ended, as often as one did
 */
export async function readRecords(
  db: Db,
  accountId: string,
  runsToEnd: readonly string[],
): Promise<readonly JobRecord[]> {
  const { jobs, transfers } = schema;
  const charges = db.$count(
    transfers,
    sql`${transfers.reference} = ${jobs.id} and ${transfers.kind} = 'capture'`,
  );
  const rows = await db
    .select({ id: jobs.id, status: jobs.status, attempts: jobs.attempt, charges })
    .from(jobs)
    .where(eq(jobs.accountId, accountId));
  return rows.map((row) => ({
    ...row,
    charges: Number(row.charges),
    runsToEnd: runsToEnd.filter((id) => id === row.id).length,
  }));
}

/** Counts the jobs of an account that have not ended. */
export async function countUnfinished(db: Db, accountId: string): Promise<number> {
  const { jobs } = schema;
  return await db.$count(
    jobs,
    sql`${jobs.accountId} = ${accountId} and ${jobs.status} in ('QUEUED', 'PROCESSING')`,
  );
}

import { and, asc, eq, exists, inArray, isNull, lt, ne, notExists, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Context } from '../../base/context.ts';
import { type Db, schema } from '../../base/database/db.ts';
import { PURGE_BATCH_ROWS, purgeInBatches } from '../../base/database/queries.ts';

/**
 * Deletes jobs that ended more than JOB_RETENTION_DAYS ago, with the rows of their files and batch items. Keeps a job
 * while storage holds one of its files, or while a kept batch shows one of them. Ledger entries stay.
 * @returns how many
 */
export async function purgeJobs({ db, env }: Context): Promise<number> {
  return await purgeInBatches(() => purgeStep(db, env.JOB_RETENTION_DAYS));
}

async function purgeStep(db: Db, days: number): Promise<number> {
  const { jobs, files, batchItems } = schema;
  return await db.transaction(async (tx) => {
    const due = await tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(isDue(tx, days))
      .orderBy(asc(jobs.createdAt))
      .limit(PURGE_BATCH_ROWS)
      .for('update', { of: jobs, skipLocked: true });
    const ids = due.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.delete(batchItems).where(inArray(batchItems.jobId, ids));
    await tx.delete(files).where(inArray(files.jobId, ids));
    await tx.delete(jobs).where(inArray(jobs.id, ids));
    return ids.length;
  });
}

function isDue(db: Pick<Db, 'select'>, days: number): SQL | undefined {
  const { jobs, files, batchItems } = schema;
  const shown = alias(files, 'shown');
  const before = sql`now() - ${days} * interval '1 day'`;
  return and(
    // No job ends before it is made: this narrows the rest by an index.
    lt(jobs.createdAt, before),
    inArray(jobs.status, ['COMPLETED', 'FAILED', 'ERROR']),
    lt(jobs.completedAt, before),
    notExists(
      db
        .select({ one: sql`1` })
        .from(files)
        .where(and(eq(files.jobId, jobs.id), isNull(files.deletedAt))),
    ),
    notExists(
      db
        .select({ one: sql`1` })
        .from(shown)
        .where(
          and(
            eq(shown.jobId, jobs.id),
            exists(
              db
                .select({ one: sql`1` })
                .from(batchItems)
                .where(and(eq(batchItems.fileKey, shown.key), ne(batchItems.jobId, jobs.id))),
            ),
          ),
        ),
    ),
  );
}

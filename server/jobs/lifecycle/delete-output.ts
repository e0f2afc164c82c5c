import { and, eq, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';
import { findJob, type JobReference, requestNotFound } from '../queries/list-jobs.ts';
import { deleteEndedFiles } from './delete-files.ts';

/**
 * Deletes the result of an ended job: its URLs end at once, and no later request gets it from the cache. The job itself
 * stays, with the moment of its first deletion.
 * @throws OperationError `not_found` when the caller may see no such job, `conflict` while it runs
 */
export async function deleteOutput(ctx: Context, named: JobReference): Promise<void> {
  const { id } = named;
  const { jobs, files, batchItems } = schema;
  const job = await findJob(ctx.db, named);
  if (!job) throw requestNotFound(id);
  if (!isTerminal(job.status)) {
    throw new OperationError(
      'conflict',
      `The request "${id}" is still running. Cancel it, or wait for its end.`,
      {
        jobId: id,
      },
    );
  }
  await ctx.db.transaction(async (tx) => {
    const deletedAt = sql`coalesce(${jobs.deletedAt}, now())`;
    await tx.update(jobs).set({ deletedAt, cacheKey: null }).where(eq(jobs.id, id));
    await tx.update(batchItems).set({ cacheKey: null }).where(eq(batchItems.jobId, id));
    await tx
      .update(files)
      .set({ expiresAt: sql`least(${files.expiresAt}, now())` })
      .where(and(eq(files.jobId, id), eq(files.role, 'output')));
  });
  await deleteEndedFiles(ctx, id);
}

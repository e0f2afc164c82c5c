import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';

const BATCH = 200;

/**
 * Deletes expired objects: results after their lifetime, inputs once their job has ended.
 * @param options.jobId only this job's
 * @returns how many were deleted; failed deletions stay recorded and are retried next time
 */
export async function deleteExpiredFiles(ctx: Context, options: { jobId?: string } = {}): Promise<number> {
  const { files } = schema;
  const due = [isNull(files.deletedAt), lt(files.expiresAt, sql`now()`)];
  if (options.jobId !== undefined) due.push(eq(files.jobId, options.jobId));
  let deleted = 0;
  for (;;) {
    const rows = await ctx.db
      .select({ key: files.key })
      .from(files)
      .where(and(...due))
      .limit(BATCH);
    const gone = await deleteObjects(
      ctx,
      rows.map(({ key }) => key),
    );
    if (gone.length > 0) {
      await ctx.db.update(files).set({ deletedAt: sql`now()` }).where(inArray(files.key, gone));
    }
    deleted += gone.length;
    // Fewer rows than requested: done. Failed deletions: they would be selected again at once.
    if (rows.length < BATCH || gone.length < rows.length) return deleted;
  }
}

/**
 * Deletes objects.
 * @returns the deleted keys
 */
async function deleteObjects(ctx: Context, keys: readonly string[]): Promise<string[]> {
  const results = await Promise.allSettled(keys.map((key) => ctx.storage.delete(key)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) ctx.log.warn({ err: failed.reason }, 'some objects could not be deleted');
  return keys.filter((_, index) => results[index]?.status === 'fulfilled');
}

/** Deletes the objects of a job that has just ended. A fault leaves them to the next regular deletion. */
export async function deleteEndedFiles(ctx: Context, jobId: string): Promise<void> {
  await deleteExpiredFiles(ctx, { jobId }).catch((err) =>
    ctx.log.warn({ err, requestId: jobId }, 'the files of an ended job are deleted later'),
  );
}

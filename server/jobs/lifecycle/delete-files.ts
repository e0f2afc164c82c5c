import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { Context } from '../../base/context.ts';
import { schema } from '../../base/database/db.ts';
import { findUploadKeys } from '../../io/uploads/index.ts';
import { findJob, type JobReference, requestNotFound } from '../queries/list-jobs.ts';

/** An object is stored before its row is written; no request and no attempt takes this long in between. */
const ORPHAN_AGE_MS = 6 * 3_600_000;

const ORPHAN_BATCH = 500;

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
    const gone = await deleteFiles(
      ctx,
      rows.map(({ key }) => key),
    );
    deleted += gone.length;
    // Fewer rows than requested: done. Failed deletions: they would be selected again at once.
    if (rows.length < BATCH || gone.length < rows.length) return deleted;
  }
}

/**
 * Deletes the objects of files that have expired, and records it. Failed deletions stay recorded as due.
 * @returns the deleted keys
 */
export async function deleteFiles(ctx: Context, keys: readonly string[]): Promise<readonly string[]> {
  const { files } = schema;
  const gone = await deleteObjects(ctx, keys);
  if (gone.length > 0) {
    await ctx.db.update(files).set({ deletedAt: sql`now()` }).where(inArray(files.key, gone));
  }
  return gone;
}

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

/**
 * Deletes objects without a job or an upload: left by processes that died between storing and recording.
 * @returns how many
 */
export async function deleteOrphans(ctx: Context, now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - ORPHAN_AGE_MS);
  let deleted = 0;
  for (const prefix of ['inputs/', 'outputs/']) {
    for await (const keys of inBatches(ctx.storage.list(prefix, before))) {
      const known = await knownAmong(ctx, keys);
      for (const key of keys.filter((key) => !known.has(key))) {
        await ctx.storage.delete(key);
        deleted += 1;
      }
    }
  }
  return deleted;
}

async function knownAmong({ db }: Context, keys: string[]): Promise<Set<string>> {
  const { files } = schema;
  const rows = await db
    .select({ key: files.key })
    .from(files)
    .where(and(inArray(files.key, keys), isNull(files.deletedAt)));
  return new Set([...rows.map(({ key }) => key), ...(await findUploadKeys(db, keys))]);
}

async function* inBatches(keys: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const key of keys) {
    batch.push(key);
    if (batch.length < ORPHAN_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

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

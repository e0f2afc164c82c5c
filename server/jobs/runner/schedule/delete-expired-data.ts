import { lt, sql } from 'drizzle-orm';
import type { Context } from '../../../base/context/context.ts';
import { schema } from '../../../base/database/db.ts';
import { IDEMPOTENCY_HOURS } from '../../../base/idempotency-hours.ts';
import { removeStale } from '../../../base/remove-stale.ts';
import { deleteExpiredUploads } from '../../../io/uploads/index.ts';
import { deleteExpiredFiles, deleteOrphans } from '../../index.ts';
import { runsDirectory } from '../attempt/run-job.ts';

/** Longer than any attempt may take. */
const RUN_DIRECTORY_AGE_MS = 12 * 3_600_000;

/**
 * Deletes what has expired: files, unused uploads, recorded responses, and rate-limit buckets that are full again.
 */
export async function deleteExpiredData(ctx: Context): Promise<void> {
  const { idempotencyKeys, rateLimits } = schema;
  const files = await deleteExpiredFiles(ctx);
  const uploads = await deleteExpiredUploads(ctx);
  const orphans = await deleteOrphans(ctx);
  await ctx.db
    .delete(idempotencyKeys)
    .where(lt(idempotencyKeys.createdAt, sql`now() - interval '1 hour' * ${IDEMPOTENCY_HOURS}::int`));
  await ctx.db.delete(rateLimits).where(lt(rateLimits.updatedAt, sql`now() - interval '24 hours'`));
  if (files + uploads + orphans > 0) ctx.log.info({ files, uploads, orphans }, 'cleaned up');
}

/** Deletes the files of attempts on this machine whose runner was killed. */
export async function removeStaleRuns(ctx: Context, now = Date.now()): Promise<void> {
  await removeStale(runsDirectory(ctx), RUN_DIRECTORY_AGE_MS, now);
}

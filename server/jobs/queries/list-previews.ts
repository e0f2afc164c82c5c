import { and, eq, gt, inArray, isNull, like, lte, sql } from 'drizzle-orm';
import type { Context } from '../../base/context/context.ts';
import { schema } from '../../base/database/db.ts';
import { createUrlBuilder } from './job-view.ts';

/** Largest result that a list shows in small, in bytes: browsers load the whole of it. */
const BYTES_MAX = 3_000_000;

/**
 * Returns the URLs of results that a list can show in small, by the ids of their jobs: the first file of each job of
 * the account that is an image, not too large, and still there.
 */
export async function listPreviews(
  ctx: Context,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { jobs, files } = schema;
  const urlOf = await createUrlBuilder(ctx);
  const found = await ctx.db
    .select({ file: files })
    .from(files)
    .innerJoin(jobs, eq(jobs.id, files.jobId))
    .where(
      and(
        inArray(files.jobId, [...ids]),
        eq(jobs.accountId, accountId),
        eq(jobs.status, 'COMPLETED'),
        eq(jobs.isStored, true),
        eq(files.role, 'output'),
        eq(files.position, 0),
        like(files.mediaType, 'image/%'),
        lte(files.bytes, BYTES_MAX),
        isNull(files.deletedAt),
        gt(files.expiresAt, sql`now()`),
      ),
    );
  return new Map(found.map(({ file }) => [file.jobId, urlOf(file)]));
}

import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import type { Context } from '../../../base/context/context.ts';
import { schema } from '../../../base/database/db.ts';
import type { Claim, JobResult, StoredFile } from '../../index.ts';
import type { AttemptOutcome } from './job-attempt.ts';
import { storeFiles } from './store-files.ts';

/**
 * Copies an earlier result for a job of its own, which delivers it to the client's bucket.
 * @param directory for this attempt alone
 */
export async function repeatResult(
  ctx: Context,
  { id }: Pick<Claim, 'id'>,
  { outcome, fileKeys }: NonNullable<Claim['cachedResult']>,
  directory: string,
): Promise<AttemptOutcome> {
  const { files } = schema;
  const known = await ctx.db
    .select()
    .from(files)
    .where(inArray(files.key, [...fileKeys]));
  const copies: Omit<StoredFile, 'key'>[] = [];
  await mkdir(join(directory, 'earlier'));
  for (const fileKey of fileKeys) {
    const file = known.find(({ key, deletedAt }) => key === fileKey && deletedAt === null);
    if (!file) return { next: 'retry', reason: 'the earlier result is gone', code: 'gone' };
    const { name, mediaType, bytes, sha256 } = file;
    // Storing may move the file that it is given.
    await copyFile(
      await ctx.storage.toLocalFile(file.key, join(directory, 'earlier')),
      join(directory, name),
    );
    copies.push({ name, mediaType, bytes, sha256 });
  }
  const stored = await storeFiles(ctx, id, copies, directory);
  const { engine, warnings, weights, ...details } = outcome;
  const result = { files: stored, engine, warnings, weights, details } as unknown as JobResult;
  return { next: 'complete', result };
}

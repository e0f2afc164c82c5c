import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../base/context/context.ts';
import type { FileRow, StoredFile } from '../queries/job-row.ts';
import type { JobResult } from './job-result.ts';
import { storeFiles } from './store-files.ts';

/**
 * Copies the files of an earlier result for another job, so that each job's files live as long as the job says.
 * @param directory for this copy alone
 * @param getName returns the name under which a file is downloaded, by its name within the run
 * @throws OperationError `not_found` when a file was deleted in between
 */
export async function copyFiles(
  ctx: Pick<Context, 'storage'>,
  jobId: string,
  files: readonly FileRow[],
  directory: string,
  getName: (name: string) => string,
): Promise<StoredFile[]> {
  const earlier = join(directory, 'earlier');
  await mkdir(earlier);
  const copies: Omit<StoredFile, 'key'>[] = [];
  for (const { key, name, mediaType, bytes, sha256, facts } of files) {
    // Storing may move the file that it is given.
    await copyFile(await ctx.storage.toLocalFile(key, earlier), join(directory, name));
    copies.push({ name, mediaType, bytes, sha256, facts, fileName: getName(name) });
  }
  return await storeFiles(ctx, jobId, copies, directory);
}

/** Returns the result of a job that repeats an earlier one with separate files. */
export function repeatResult(
  outcome: Readonly<Record<string, unknown>>,
  files: readonly StoredFile[],
): JobResult {
  const { engine, warnings, weights, status: _status, cached: _cached, ...details } = outcome;
  return { files, engine, warnings, weights, details } as unknown as JobResult;
}

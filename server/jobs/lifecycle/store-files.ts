import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Context } from '../../base/context.ts';
import type { FileRow, StoredFile } from '../queries/job-row.ts';
import type { JobResult } from './job-result.ts';

/**
 * Stores the files of a job under a random token, so that no attempt overwrites another's files.
 * @param directory folder that has them under their names; storing may move them
 */
export async function storeFiles(
  { storage }: Pick<Context, 'storage'>,
  jobId: string,
  files: readonly Omit<StoredFile, 'key'>[],
  directory: string,
): Promise<StoredFile[]> {
  const token = randomBytes(16).toString('base64url');
  return await Promise.all(
    files.map(async (file) => {
      const key = `outputs/${jobId}/${token}/${file.name}`;
      await storage.putFile(key, join(directory, file.name), file.mediaType);
      return { ...file, key };
    }),
  );
}

/**
 * Stores the files of an earlier result for another job as well, so that each job's files live as long as the job says.
 * @param getName returns the name under which a file is downloaded, by its name within the run
 * @throws OperationError `not_found` when a file was deleted in between
 */
export async function copyFiles(
  { storage }: Pick<Context, 'storage'>,
  jobId: string,
  files: readonly FileRow[],
  getName: (name: string) => string,
): Promise<StoredFile[]> {
  const token = randomBytes(16).toString('base64url');
  return await Promise.all(
    files.map(async ({ key: from, name, mediaType, bytes, sha256, facts }) => {
      const key = `outputs/${jobId}/${token}/${name}`;
      await storage.copy(from, key);
      return { key, name, mediaType, bytes, sha256, facts, fileName: getName(name) };
    }),
  );
}

/** Returns the result of a job that repeats an earlier one with separate files. */
export function repeatResult(
  outcome: Readonly<Record<string, unknown>>,
  files: readonly StoredFile[],
): JobResult {
  const { engine, warnings, weights, status: _status, cached: _cached, ...details } = outcome;
  return { files, engine, warnings, weights, details } as unknown as JobResult;
}

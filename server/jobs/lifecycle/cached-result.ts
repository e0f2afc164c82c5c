import { randomBytes } from 'node:crypto';
import type { Context } from '../../base/context/context.ts';
import type { FileRow, StoredFile } from '../queries/job-row.ts';
import type { JobResult } from './job-result.ts';

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

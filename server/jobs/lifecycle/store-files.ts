import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Context } from '../../base/context/context.ts';
import type { StoredFile } from '../queries/job-row.ts';

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

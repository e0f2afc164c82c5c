import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { PartFile } from '../../../models/core/weights/download.ts';
import { errorCode } from './sources.ts';

/**
 * Lets `work` fill a file on disk, creates it if missing, and deletes it if empty. Once it returns, the bytes are
 * synced: a power failure cannot leave a final name on a partial file.
 * @throws OperationError `unavailable` when the disk is full or refuses
 */
export async function withPartFile(path: string, work: (file: PartFile) => Promise<void>): Promise<void> {
  const file = await open(path, 'a+').catch(diskFault);
  try {
    await work(partFile(path, file));
    await file.sync().catch(diskFault);
  } finally {
    const { size } = await file.stat();
    await file.close();
    if (size === 0) await rm(path, { force: true });
  }
}

function partFile(path: string, file: FileHandle): PartFile {
  return {
    size: async () => (await file.stat()).size,
    append: async (chunk) => void (await file.appendFile(chunk).catch(diskFault)),
    clear: () => file.truncate(0),
    sha256: () => getSha256(path),
  };
}

/** For `catch`: translates a fault of our own disk, which no other source can fix. */
function diskFault(cause: unknown): never {
  const code = errorCode(cause);
  const reason =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'the disk is full. Free some space and try again; what has been downloaded is kept'
      : `the disk denies access (${code})`;
  throw new OperationError('unavailable', `DATA_DIR/models cannot be written: ${reason}.`, { cause });
}

export async function getSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

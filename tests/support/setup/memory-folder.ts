import { access, constants, mkdtemp, readdir, readlink, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from './remove-folder.ts';

/** Folder in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Many times what the files of one run take there together. */
const BYTES_MIN = 2e9;
const NAME = 'darkroom-databases-';

/**
 * Makes a folder whose files lie in memory, for a run of tests that makes and deletes thousands of small ones.
 * @returns its path; undefined where the machine has no such folder, or less than 2 GB for it
 */
export async function makeMemoryFolder(): Promise<string | undefined> {
  try {
    await access(MEMORY, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(MEMORY);
    if (bavail * bsize < BYTES_MIN) return undefined;
  } catch {
    return undefined;
  }
  // Containers can share the folder, and number their processes apart.
  const prefix = `${NAME}${(await readlink('/proc/self/ns/pid')).replace(/\D/g, '')}-`;
  await removeAbandoned(prefix);
  return mkdtemp(join(MEMORY, `${prefix}${process.pid}-`));
}

/** Removes the folders of runs that were killed: they would hold memory until the machine restarts. */
async function removeAbandoned(prefix: string): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    if (!name.startsWith(prefix) || isRunning(Number.parseInt(name.slice(prefix.length), 10))) continue;
    // Another user's folder stays.
    await removeFolder(join(MEMORY, name)).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

import { rm, rmdir } from 'node:fs/promises';

/** Deletes a folder and what is in it. One that is empty by now, as most are, takes a single call. */
export async function removeFolder(path: string): Promise<void> {
  await rmdir(path).catch(() => rm(path, { recursive: true, force: true }));
}

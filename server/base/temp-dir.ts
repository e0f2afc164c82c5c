import { mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env } from './env.ts';
import { OWNER_ONLY } from './file-modes.ts';
import { makeOwnFolder } from './own-folders.ts';
import { removeStale, startTouching } from './remove-stale.ts';

/** Age from which a folder counts as left behind. One in use stays younger. */
const AGE_MS = 3_600_000;

const TOUCH_EVERY_MS = AGE_MS / 4;

const getRoot = (env: Env): string => join(env.DATA_DIR, 'incoming');

/** Gives `work` a local folder for bytes that are not in storage yet, and deletes it afterwards. */
export async function withTempDir<T>(env: Env, work: (directory: string) => Promise<T>): Promise<T> {
  const root = getRoot(env);
  await mkdir(root, { recursive: true, mode: OWNER_ONLY.folder });
  const directory = await mkdtemp(join(root, 'r'));
  const endTouching = startTouching(directory, TOUCH_EVERY_MS);
  try {
    return await work(directory);
  } finally {
    endTouching();
    await removeFolder(directory);
  }
}

/** Deletes the files of requests on this machine whose process was killed. */
export async function removeStaleTempDirs(env: Env): Promise<void> {
  await removeStale(getRoot(env), AGE_MS);
}

/** Deletes a folder and what is in it. One that is empty by now, as most are, takes a single call. */
async function removeFolder(path: string): Promise<void> {
  await rmdir(path).catch(() => rm(path, { recursive: true, force: true }));
}

/** Returns a folder that is created on first use, and deleted when the process ends. */
export function createLazyTempFolder(): () => Promise<string> {
  let folder: string | undefined;
  return async () => {
    folder ??= makeOwnFolder(tmpdir());
    return folder;
  };
}

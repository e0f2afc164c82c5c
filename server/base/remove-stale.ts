import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from './log.ts';

/** Deletes everything directly below `root` that was last written more than `ageMs` ago. */
export async function removeStale(root: string, ageMs: number): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const path = join(root, name);
    if (await isStale(path, ageMs)) await rm(path, { recursive: true, force: true });
  }
}

/** Reports whether a file or folder was last written more than `ageMs` ago. */
export async function isStale(path: string, ageMs: number): Promise<boolean> {
  return await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > ageMs,
    () => false,
  );
}

const REMOVE_EVERY_MS = 3_600_000;
const TOUCH_EVERY_MS = 3_600_000;

/**
 * Keeps a file or folder from being stale while this process uses it, whatever is or is not written there.
 * @returns a function that stops it
 */
export function startTouching(path: string, everyMs = TOUCH_EVERY_MS): () => void {
  const touch = (): void => {
    const now = new Date();
    // The process that deletes it is about to stop this.
    utimes(path, now, now).catch(() => {});
  };
  const timer = setInterval(touch, everyMs).unref();
  return () => clearInterval(timer);
}

/**
 * Deletes stale folders now, and every hour while this process runs.
 * @param remove deletes them; a failure is logged and retried next time
 * @returns a function that stops it
 */
export async function startRemovingStale(
  remove: () => Promise<void>,
  log: Logger,
  everyMs = REMOVE_EVERY_MS,
): Promise<() => void> {
  const removeNow = () =>
    remove().catch((err: unknown) => log.warn({ err }, 'stale folders were not removed'));
  await removeNow();
  const timer = setInterval(() => void removeNow(), everyMs).unref();
  return () => clearInterval(timer);
}

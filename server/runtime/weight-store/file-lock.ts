import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { startTouching } from '../../base/remove-stale.ts';

const BEAT_MS = 1_000;
/** A holder without a sign of life for this long is considered dead. */
const STALE_MS = 10_000;
const ASK_EVERY_MS = 100;

export interface LockOptions {
  readonly signal: AbortSignal;
  /** Called repeatedly while another process holds the lock. */
  readonly onWait: () => Promise<void>;
}

/**
 * Runs `work` in one process at a time among all that share the folder, across hosts too. The lock is a file that its
 * holder touches every second. It only saves duplicate work: a holder that slept for long may overlap with its
 * successor, so their writes must tolerate that.
 */
export async function withFileLock<Result>(
  path: string,
  { signal, onWait }: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const token = randomUUID();
  while (!(await take(path, token))) {
    if (await isStale(path)) await rm(path, { force: true });
    await onWait();
    await setTimeout(ASK_EVERY_MS, undefined, { signal });
  }
  return await hold(path, token, work);
}

/** Runs `work` as `withFileLock` does, but only where no process holds the lock: it never waits. */
export async function whenUnlocked(path: string, work: () => Promise<void>): Promise<void> {
  const token = randomUUID();
  if (await isStale(path)) await rm(path, { force: true });
  if (await take(path, token)) await hold(path, token, work);
}

async function hold<Result>(path: string, token: string, work: () => Promise<Result>): Promise<Result> {
  const stopTouching = startTouching(path, BEAT_MS);
  try {
    return await work();
  } finally {
    stopTouching();
    const holder = await readFile(path, 'utf8').catch(() => '');
    if (holder === token) await rm(path, { force: true });
  }
}

async function take(path: string, token: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(token).finally(() => file.close());
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Reports whether a live process holds the lock. */
export async function isLockHeld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && !(await isStale(path));
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > STALE_MS;
}

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env } from './env.ts';
import { removeStale } from './remove-stale.ts';

/** Longer than any request may take to send or fetch its input. */
const AGE_MS = 3_600_000;

const rootOf = (env: Env): string => join(env.DATA_DIR, 'incoming');

/** Gives `work` a folder on this machine's disk for bytes that are not in storage yet, and removes it afterwards. */
export async function inIncomingFolder<T>(env: Env, work: (directory: string) => Promise<T>): Promise<T> {
  const root = rootOf(env);
  await mkdir(root, { recursive: true });
  const directory = await mkdtemp(join(root, 'r'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Removes what requests on this machine left when their process was killed. */
export async function removeStaleIncoming(env: Env, now = Date.now()): Promise<void> {
  await removeStale(rootOf(env), AGE_MS, now);
}

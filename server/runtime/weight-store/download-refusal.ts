import { readFile, rm, stat, writeFile } from 'node:fs/promises';

/** Pause before unavailable weights are requested again: each try can cost many seconds. */
export const RETRY_AFTER_REFUSAL_MS = 5 * 60_000;

/**
 * Path of the file next to the weights that tells all processes of the last failed download: its text holds the
 * reason, its mtime the time.
 */
export function refusalPath(path: string): string {
  return `${path}.refused`;
}

/**
 * Reads the last refusal.
 * @returns the reason why the weights were recently unavailable, or null
 */
export async function readRefusal(path: string): Promise<string | null> {
  const found = await stat(refusalPath(path)).catch(() => null);
  // Clocks of several hosts differ: a future time counts no longer than a past one.
  if (!found || Math.abs(Date.now() - found.mtimeMs) >= RETRY_AFTER_REFUSAL_MS) return null;
  return (await readFile(refusalPath(path), 'utf8').catch(() => '')) || null;
}

/** Records a refusal. It only saves useless work: where it cannot be written, the next caller tries for itself. */
export async function writeRefusal(path: string, reason: string): Promise<void> {
  await writeFile(refusalPath(path), reason).catch(() => {});
}

export async function removeRefusal(path: string): Promise<void> {
  await rm(refusalPath(path), { force: true });
}

import { readFile, rm, stat, writeFile } from 'node:fs/promises';

/** Weights that could not be had are not asked for again so soon: each try can cost many seconds. */
export const REFUSED_MS = 5 * 60_000;

/**
 * A file beside the weights that tells all processes of the last download that failed: its text says why, its time
 * says when.
 */
export function refusalOf(path: string): string {
  return `${path}.refused`;
}

/** @returns why the weights could not be had a moment ago, or null */
export async function readRefusal(path: string): Promise<string | null> {
  const found = await stat(refusalOf(path)).catch(() => null);
  // Clocks of several hosts differ: a time to come counts no longer than one that is gone.
  if (!found || Math.abs(Date.now() - found.mtimeMs) >= REFUSED_MS) return null;
  return (await readFile(refusalOf(path), 'utf8').catch(() => '')) || null;
}

/** It saves vain work and nothing more: where it cannot be written, the next one tries for itself. */
export async function writeRefusal(path: string, reason: string): Promise<void> {
  await writeFile(refusalOf(path), reason).catch(() => {});
}

export async function removeRefusal(path: string): Promise<void> {
  await rm(refusalOf(path), { force: true });
}

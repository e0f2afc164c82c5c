import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes everything right below `root` that was last written more than `ageMs` before `now` (ms since the epoch). */
export async function removeStale(root: string, ageMs: number, now: number): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const path = join(root, name);
    const modifiedAtMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    if (now - modifiedAtMs > ageMs) await rm(path, { recursive: true, force: true });
  }
}

import { stat, utimes } from 'node:fs/promises';

/** While a file is used, its time of access lies ahead by this, so that other processes and hosts see it. */
const AHEAD_MS = 60_000;
const BEAT_MS = 20_000;

interface Use {
  users: number;
  readonly timer: NodeJS.Timeout;
}

/** Files that this process uses, by path. */
const uses = new Map<string, Use>();

/**
 * Marks a file as in use, until the function that it returns is called. The mark is the time of access, which the file
 * system may not keep itself. It ends within a minute when the process dies.
 */
export function markUse(path: string): () => void {
  const known = uses.get(path);
  const use: Use = known ?? {
    users: 0,
    timer: setInterval(() => void writeUse(path, Date.now() + AHEAD_MS), BEAT_MS).unref(),
  };
  if (!known) {
    uses.set(path, use);
    void writeUse(path, Date.now() + AHEAD_MS);
  }
  use.users += 1;
  return () => {
    use.users -= 1;
    if (use.users > 0) return;
    clearInterval(use.timer);
    uses.delete(path);
    void writeUse(path, Date.now());
  };
}

/** Writes the time of a file's last use: ahead of now while it lasts. A missing file has none. */
export async function writeUse(path: string, atMs: number): Promise<void> {
  const found = await stat(path).catch(() => null);
  // Only an order depends on it: where it cannot be written, the file seems unused.
  if (found) await utimes(path, new Date(atMs), new Date(Math.round(found.mtimeMs))).catch(() => {});
}

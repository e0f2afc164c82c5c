import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns a folder that is created on first use, and deleted when the process ends. */
export function createLazyTempFolder(): () => Promise<string> {
  let folder: Promise<string> | null = null;
  return () => {
    folder ??= makeFolder();
    return folder;
  };
}

/** Folders of this process. One listener deletes them: there may be many. */
const made = new Set<string>();

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-'));
  if (made.size === 0) process.once('exit', deleteAll);
  made.add(folder);
  return folder;
}

function deleteAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}

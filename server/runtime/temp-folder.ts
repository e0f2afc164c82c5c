import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns a folder that is created on first use, and deleted when the process ends. */
export function lazyTempFolder(): () => Promise<string> {
  let made: Promise<string> | null = null;
  return () => {
    made ??= makeFolder();
    return made;
  };
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

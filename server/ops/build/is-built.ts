import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compiledPart } from '../../base/children/compiled-parts.ts';

const SOURCES = [
  'app',
  'clients/python',
  'clients/typescript/src',
  'models',
  'public',
  'server',
  'workers',
  'drizzle',
  'next.config.ts',
  'proxy.ts',
  'package-lock.json',
];

/** Reports whether the last build has ended, and is newer than every source. */
export async function isBuilt(root: string): Promise<boolean> {
  // A build compiles the service's own processes last.
  const builtAtMs = await changedAtMs(compiledPart(root, 'main'));
  const sourcesAtMs = await Promise.all(SOURCES.map((source) => changedAtMs(join(root, source))));
  return builtAtMs > Math.max(...sourcesAtMs);
}

/**
 * Returns when a file, or the newest file below a folder, was last written, in ms since the epoch; 0 when it is
 * missing.
 */
async function changedAtMs(path: string): Promise<number> {
  const info = await stat(path).catch(() => null);
  if (!info) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  const names = await readdir(path);
  const times = await Promise.all(names.map((name) => changedAtMs(join(path, name))));
  return Math.max(info.mtimeMs, ...times);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const SOURCES = [
  'app',
  'models',
  'public',
  'server',
  'workers',
  'drizzle',
  'next.config.ts',
  'proxy.ts',
  'package-lock.json',
];

/** Builds the pages and routes unless the last build is newer than every source. @throws Error when it fails */
export async function buildWhenNeeded(root: string): Promise<void> {
  const builtAtMs = await changedAtMs(join(root, '.next', 'BUILD_ID'));
  const sourcesAtMs = await Promise.all(SOURCES.map((source) => changedAtMs(join(root, source))));
  if (builtAtMs > Math.max(...sourcesAtMs)) return;
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
  const build = spawn(process.execPath, [next, 'build'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error('next build failed; its output above says why.');
}

/** When a file, or the newest file below a folder, was last written, in ms since the epoch; 0 when it is not there. */
async function changedAtMs(path: string): Promise<number> {
  const info = await stat(path).catch(() => null);
  if (!info) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  const names = await readdir(path);
  const times = await Promise.all(names.map((name) => changedAtMs(join(path, name))));
  return Math.max(info.mtimeMs, ...times);
}

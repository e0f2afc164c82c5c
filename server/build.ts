import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compressFiles } from './compress-files.ts';
import { compiledPart } from './parts.ts';

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

/**
 * Builds the service unless the last build is newer than every source.
 * @throws Error when the build fails
 */
export async function buildWhenNeeded(root: string): Promise<void> {
  const builtAtMs = await changedAtMs(join(root, '.next', 'BUILD_ID'));
  const sourcesAtMs = await Promise.all(SOURCES.map((source) => changedAtMs(join(root, source))));
  if (builtAtMs <= Math.max(...sourcesAtMs)) return await build(root);
  // Does what is left to do, should a build have ended before.
  const compiledAtMs = await changedAtMs(compiledPart(root, 'main'));
  if (compiledAtMs < builtAtMs) await compile(root);
  await compressFiles(join(root, '.next'));
}

/**
 * Builds the pages and routes, compiles the service's own processes, and compresses the files for browsers.
 * @throws Error when the build fails
 */
export async function build(root: string): Promise<void> {
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
  const building = spawn(process.execPath, [next, 'build'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  });
  const [code] = await once(building, 'exit');
  if (code !== 0) throw new Error('next build failed; its output above says why.');
  await compile(root);
  await compressFiles(join(root, '.next'));
}

async function compile(root: string): Promise<void> {
  // A start without a build needs no compiler.
  const { compileParts } = await import('./compile-parts.ts');
  await compileParts(root);
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

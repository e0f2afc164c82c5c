import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileParts } from './compile-parts.ts';
import { compressFiles } from './compress-files.ts';
import { copyConsole } from './console-files.ts';
import { writeBundledGraphs } from './graphs/write-bundled-graphs.ts';
import { hintCompilation } from './hint-script-compilation.ts';
import { isBuilt } from './is-built.ts';

/**
 * Builds the service unless the last build is newer than every source.
 * @throws Error when the build fails
 */
export async function buildWhenNeeded(root: string): Promise<void> {
  if (!(await isBuilt(root))) await buildService(root);
}

/**
 * Converts the models that come in packages, builds the pages and routes, prepares the files for browsers, and compiles
 * the service's own processes.
 * @throws Error when the build fails
 */
export async function buildService(root: string): Promise<void> {
  await writeBundledGraphs(root);
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
  const building = spawn(process.execPath, [next, 'build'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  });
  // A build that outlives who asked for it would keep the next one from starting.
  const stop = (signal: NodeJS.Signals) => building.kill(signal);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  const [code] = await once(building, 'exit');
  for (const signal of signals) process.off(signal, stop);
  if (code !== 0) throw new Error('next build failed; its output above says why.');
  await hintCompilation(join(root, '.next'));
  await copyConsole(root, join(root, '.next'));
  await compressFiles(join(root, '.next'));
  await compileParts(root);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packClients } from './clients/pack-clients.ts';
import { compileParts } from './compile-parts.ts';
import { compressFiles, encodeAhead } from './compress-files.ts';
import { copyConsole } from './console-files.ts';
import { writeBundledGraphs } from './graphs/write-bundled-graphs.ts';
import { hintCompilation } from './hint-script-compilation.ts';
import { isBuilt } from './is-built.ts';
import { showProgress } from './show-progress.ts';

/** Variable that tells `next.config.ts` to leave the check of types out. */
const UNCHECKED = 'BUILD_WITHOUT_TYPES';
/** Variable that tells `next.config.ts` to leave nothing for the next build. */
const UNCACHED = 'BUILD_WITHOUT_CACHE';

/**
 * Builds the service unless the last build is newer than every source.
 * @throws Error when the build fails
 */
export async function buildWhenNeeded(root: string): Promise<void> {
  if (!(await isBuilt(root))) await buildService(root);
}

/** Large files of packages that the build copies as they are. */
const LARGE_FILES = [
  '@ffmpeg/core-mt/dist/esm/ffmpeg-core.wasm',
  'onnxruntime-web/dist/ort-wasm-simd-threaded.asyncify.wasm',
  'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
  '@imagemagick/magick-wasm/dist/x86/magick.wasm',
  '@scalar/fastify-api-reference/dist/js/standalone.js',
];

export interface BuildOptions {
  /**
   * Whether types are checked as well, which takes a fifth of the time and changes nothing of the result. Defaults to
   * true.
   */
  readonly checksTypes?: boolean;
  /**
   * Whether the next build of this folder finds what this one has compiled. It then takes a third of the time, and this
   * one a fifth more. Defaults to true.
   */
  readonly keepsCache?: boolean;
}

/**
 * Converts the models that come in packages, builds the pages and routes, prepares the files for browsers, and compiles
 * the service's own processes. Tells of each step on standard output.
 * @throws Error when the build fails
 */
export async function buildService(root: string, options: BuildOptions = {}): Promise<void> {
  const buildDir = join(root, '.next');
  const step = showProgress(6, (line) => process.stdout.write(`${line}\n`));
  await step('models of packages', () => writeBundledGraphs(root));
  const large = LARGE_FILES.map((path) => join(root, 'node_modules', path));
  await Promise.all([
    step('pages, routes and workers', () => buildPages(root, options)),
    step('large files, compressed', () => encodeAhead(large, buildDir)),
    step('packages of the clients', () => packClients(root)),
  ]);
  await step('all other files, compressed', async () => {
    await hintCompilation(buildDir);
    await copyConsole(root, buildDir);
    await compressFiles(buildDir);
  });
  // Last: it shows that a build has ended.
  await step('processes of the service', () => compileParts(root));
}

async function buildPages(root: string, options: BuildOptions): Promise<void> {
  const { checksTypes = true, keepsCache = true } = options;
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
  const building = spawn(process.execPath, [next, 'build'], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      [UNCHECKED]: checksTypes ? '' : '1',
      [UNCACHED]: keepsCache ? '' : '1',
    },
  });
  // A build that outlives who asked for it would keep the next one from starting.
  const stop = (signal: NodeJS.Signals) => building.kill(signal);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  const [code] = await once(building, 'exit');
  for (const signal of signals) process.off(signal, stop);
  if (code !== 0) throw new Error('next build failed; its output above says why.');
}

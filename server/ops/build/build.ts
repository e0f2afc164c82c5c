import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { BUNDLED_PACKAGES, preserveModuleUrls } from '../../base/children/compile-child-code.ts';
import { COMPILED_PARTS, compiledPartsDir } from '../../base/children/compiled-parts.ts';
import { buildTypeScriptClient } from './build-typescript-client.ts';
import { CLIENT_PACKAGES, CLIENTS_PATH, CLIENTS_VERSION, WORKER_PATH } from './client-packages.ts';
import { compressFiles, encodeAhead } from './compress-files.ts';
import { writeBundledGraphs } from './graphs/write-bundled-graphs.ts';
import { isBuilt } from './is-built.ts';
import { packWorker } from './pack-worker.ts';
import { writeWheel } from './write-wheel.ts';

/**
 * Explicit compile hint of V8: it then compiles the functions of a script while the script arrives, on a thread of its
 * own. Without it the main thread parses each function a second time when the page calls it first, which is most of
 * what holds a page up as it opens. Other browsers read a comment.
 */
const HINT = '//# allFunctionsCalledOnLoad\n';

const MANIFEST = /_client-reference-manifest\.js$/;

/** Scripts of the components that a page loads by `next/dynamic`, such as its tool. */
const DYNAMIC_MANIFEST = /react-loadable-manifest\.json$/;

const ENTRY_FILES = /"entryJSFiles":(\{[^}]*\})/;

const externalPackages: Plugin = {
  name: 'external-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) => {
      return kind === 'entry-point' || BUNDLED_PACKAGES.test(path) ? undefined : { path, external: true };
    });
  },
};

/** Pause between two signs of life of a step, in ms. */
const TELL_EVERY_MS = 10_000;

/** Writes a line about the progress. */
type Tell = (line: string) => void;

/** Does a step of a long work, and tells of it. */
type DoStep = <T>(name: string, work: () => Promise<T>) => Promise<T>;

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
  'wasm-vips/lib/vips.wasm',
  'wasm-vips/lib/vips-heif.wasm',
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
    step('packages of the clients', async () => {
      await packClients(root);
      await packWorker(root, join(root, 'public', WORKER_PATH));
    }),
  ]);
  await step('all other files, compressed', async () => {
    await hintCompilation(buildDir);
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

/**
 * Makes the packages of both clients, where the docs offer them.
 * @param root folder of the project
 * @param folder of the packages, which is emptied first. Defaults to that of the docs
 */
export async function packClients(
  root: string,
  folder: string = join(root, 'public', CLIENTS_PATH),
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await buildTypeScriptClient(root);
  const client = join(root, 'clients/typescript');
  const texts = ['CHANGELOG.md', 'LICENCE.md'].map((name) => join(client, name));
  for (const path of texts) await copyFile(join(root, 'clients', basename(path)), path);
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  await promisify(execFile)('npm', pack, { cwd: client });
  await Promise.all(texts.map((path) => rm(path)));
  await writeWheel(join(root, 'clients/python'), CLIENTS_VERSION, join(folder, CLIENT_PACKAGES.python));
}

/**
 * Numbers the steps of a long work, and tells when each begins and ends. Every ten seconds it says what
 * is still going on: a build takes minutes, of which most are silent.
 * @param stepCount number of all steps
 */
export function showProgress(stepCount: number, tell: Tell): DoStep {
  let begun = 0;
  return async (name, work) => {
    const startedAtMs = performance.now();
    const seconds = () => Math.round((performance.now() - startedAtMs) / 1000);
    begun += 1;
    tell(`[${begun}/${stepCount}] ${name} ...`);
    const timer = setInterval(() => tell(`      ${name}: ${seconds()} s so far`), TELL_EVERY_MS);
    try {
      const result = await work();
      tell(`      ${name}: done in ${seconds()} s`);
      return result;
    } finally {
      clearInterval(timer);
    }
  };
}

/**
 * Compiles the parts, with the modules that they share in files of their own. Node loads them in a fraction of the time
 * and memory that a compiler inside each process takes.
 * @throws Error when a source cannot be read or compiled
 */
async function compileParts(root: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: COMPILED_PARTS,
    outdir: compiledPartsDir(root),
    // Next declares its folder to be CommonJS.
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    keepNames: true,
    logLevel: 'error',
    plugins: [externalPackages, preserveModuleUrls((path) => urlFromParts(root, path))],
  });
}

/** Returns an expression of the URL of a source, from the compiled code that holds it. */
function urlFromParts(root: string, path: string): string {
  const fromParts = relative(compiledPartsDir(root), path).split(sep).join('/');
  return `new URL(${JSON.stringify(fromParts)}, import.meta.url).href`;
}

/**
 * Adds a compile hint to the scripts that pages load as they open. Scripts that pages load later get none: much of such
 * a script may never be called.
 * @param buildDir Next's build folder
 * @returns the names of these scripts, in the build folder
 * @throws Error when Next's manifests name no script of a page
 */
export async function hintCompilation(buildDir: string): Promise<readonly string[]> {
  const { rootMainFiles } = JSON.parse(await readFile(join(buildDir, 'build-manifest.json'), 'utf8'));
  const pages = join(buildDir, 'server/app');
  const names = [
    ...new Set<string>([...rootMainFiles, ...(await entryFiles(pages)), ...(await dynamicFiles(pages))]),
  ];
  await Promise.all(names.map((name) => addHint(join(buildDir, name))));
  return names;
}

/** Returns the scripts that Next's manifests name for the entry of each page. */
async function entryFiles(folder: string): Promise<readonly string[]> {
  const manifests = (await readdir(folder, { recursive: true })).filter((name) => MANIFEST.test(name));
  const files = manifests.map(async (name) => {
    const [, entries = '{}'] = (await readFile(join(folder, name), 'utf8')).match(ENTRY_FILES) ?? [];
    return Object.values<string[]>(JSON.parse(entries)).flat();
  });
  const entries = (await Promise.all(files)).flat();
  if (entries.length === 0) throw new Error(`No manifest below ${folder} names the scripts of a page.`);
  return entries;
}

/** Returns the scripts that Next's manifests name for the dynamic components of each page. */
async function dynamicFiles(folder: string): Promise<readonly string[]> {
  const manifests = (await readdir(folder, { recursive: true })).filter((name) =>
    DYNAMIC_MANIFEST.test(name),
  );
  const files = manifests.map(async (name) => {
    const components: Readonly<Record<string, { readonly files: readonly string[] }>> = JSON.parse(
      await readFile(join(folder, name), 'utf8'),
    );
    return Object.values(components).flatMap((component) => component.files);
  });
  return (await Promise.all(files)).flat().filter((name) => name.endsWith('.js'));
}

/** Adds the hint to a script, once. */
async function addHint(path: string): Promise<void> {
  const source = await readFile(path, 'utf8');
  if (source.startsWith(HINT)) return;
  // Whole or not at all: a build may be broken off, and the next one continues it.
  await writeFile(`${path}.part`, HINT + source);
  await rename(`${path}.part`, path);
}

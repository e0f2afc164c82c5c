import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** Module of the command that is bundled with the packages it exports, below `dist`. */
const BUNDLED_MODULE = 'cli/mcp-sdk.js';
const LICENCES = 'THIRD-PARTY-LICENCES.txt';
const LICENCE_FILE = /^(licen[cs]e|notice)(\.(md|txt|mit))?$/i;

/**
 * Writes the JavaScript and the types of the TypeScript client to its folder `dist`. The packages that its command uses
 * are part of it, with their licences, so that an installation fetches nothing.
 * @param root folder of the project
 * @throws Error when the sources have errors
 */
export async function buildTypeScriptClient(root: string): Promise<void> {
  const folder = join(root, 'clients/typescript');
  const dist = join(folder, 'dist');
  await rm(dist, { recursive: true, force: true });
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const flags = ['-p', '.', '--noEmit', 'false', '--declaration', '--outDir', 'dist'];
  const compiling = spawn(process.execPath, [compiler, ...flags], { cwd: folder, stdio: ['ignore', 2, 2] });
  const [code] = await once(compiling, 'exit');
  if (code !== 0) throw new Error('the TypeScript client has errors; the output above names them');
  const bundled = await bundlePackages(root, join(dist, BUNDLED_MODULE));
  await writeFile(join(dist, LICENCES), await readLicences(root, bundled));
}

/** Replaces a module by itself and all packages that it imports. @returns the folders of the packages */
async function bundlePackages(root: string, path: string): Promise<string[]> {
  // A process that runs compiled code needs no compiler.
  const { build } = await import('esbuild');
  const { metafile } = await build({
    entryPoints: [path],
    outfile: path,
    allowOverwrite: true,
    absWorkingDir: root,
    bundle: true,
    minify: true,
    keepNames: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // Packages of the older module system ask for parts of Node.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
  });
  const folders = Object.keys(metafile.inputs).flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [],
  );
  return [...new Set(folders)].toSorted();
}

async function readLicences(root: string, packages: readonly string[]): Promise<string> {
  const texts = packages.map(async (folder) => {
    const path = join(root, folder);
    const name = (await readdir(path)).find((file) => LICENCE_FILE.test(file));
    if (name === undefined) throw new Error(`${folder} has no text of its licence`);
    const { version } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
    return `${relative('node_modules', folder)} ${version}\n\n${await readFile(join(path, name), 'utf8')}`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CLIENTS_VERSION, WORKER_PACKAGE } from './client-packages.ts';

/** Program of a worker, and the modules that it starts by their paths. */
const ENTRIES = ['scripts/darkroom-worker.ts', 'models/registry.ts', 'server/jobs/runs/child.ts'];
/** Files that these read. */
const DATA = ['models/weights', 'public/acceptance', 'package.json', 'tsconfig.base.json', 'tsconfig.json'];
/** Packages that are found by their names at run time: no import tells of them. */
const NAMED = ['tsx', 'libheif-js'];

const BIN = `#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';
import { register } from 'tsx/esm/api';

// Models that are downloaded stay when the package is replaced.
process.env.DATA_DIR ||= join(homedir(), '.darkroom');
register();
await import('../scripts/darkroom-worker.ts');
`;

/**
 * Packs the worker of an account: the modules that it runs, with the bundled weights. What else it imports is installed
 * with it from the registry, in the versions of the project.
 * @param folder of the package
 */
export async function packWorker(root: string, folder: string): Promise<void> {
  const { sources, packages } = await traceModules(root);
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const versions: Record<string, string> = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const place = await mkdtemp(join(tmpdir(), 'darkroom-worker-package-'));
  try {
    for (const path of [...sources, ...DATA, 'clients/typescript/package.json', 'clients/LICENCE.md']) {
      await mkdir(dirname(join(place, path)), { recursive: true });
      await cp(join(root, path), join(place, path), { recursive: true });
    }
    await mkdir(join(place, 'bin'));
    await writeFile(join(place, 'bin/darkroom-worker.js'), BIN);
    await chmod(join(place, 'bin/darkroom-worker.js'), 0o755);
    await cp(join(root, 'clients/LICENCE.md'), join(place, 'LICENCE.md'));
    const own = {
      name: '@darkroom/worker',
      version: CLIENTS_VERSION,
      license: 'SEE LICENSE IN LICENCE.md',
      description: 'Runs the jobs that a Darkroom account leaves to its own machines.',
      type: 'module',
      engines: manifest.engines,
      bin: { 'darkroom-worker': 'bin/darkroom-worker.js' },
      dependencies: Object.fromEntries(packages.map((name) => [name, versions[name]])),
    };
    await writeFile(join(place, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
    await mkdir(folder, { recursive: true });
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', place];
    await promisify(execFile)('npm', pack, { cwd: place });
    await cp(join(place, `darkroom-worker-${CLIENTS_VERSION}.tgz`), join(folder, WORKER_PACKAGE));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Lists the sources that the programs import, and the packages that these do. */
async function traceModules(root: string): Promise<{ sources: string[]; packages: string[] }> {
  // A process that runs compiled code needs no compiler.
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: 'traced',
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.flatMap(({ path, external }) => (external && !path.startsWith('node:') ? [path] : [])),
  );
  const names = imported.map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
  return { sources: Object.keys(metafile.inputs), packages: [...new Set([...names, ...NAMED])].toSorted() };
}

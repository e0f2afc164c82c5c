// @module-tag long

import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.ts';
import { CLIENTS_VERSION, WORKER_PACKAGE } from '../../server/ops/build/client-packages.ts';
import { packWorker } from '../../server/ops/build/pack-worker.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

let service: LoopbackService;
/** Packages that a worker loads: codecs, models, and the compiler of its child processes. */
const PACKAGES = [
  'culori',
  'esbuild',
  'fzstd',
  'ipaddr.js',
  'libheif-js',
  'mediabunny',
  'node-av',
  'onnxruntime-node',
  'sharp',
  'tsx',
  'undici',
  'zod',
];
/** Folder of a project that has installed the packed worker. */
let project = '';
const installed = (path: string) => join(project, 'node_modules/@darkroom/worker', path);
const listFolders = async (path: string) =>
  (await readdir(installed(path), { withFileTypes: true }))
    .flatMap((entry) => (entry.isDirectory() ? entry.name : []))
    .toSorted();
beforeAll(async () => {
  service = await startLoopbackService('', { isSignedIn: false, hasRunner: false });
  project = await mkdtemp(join(tmpdir(), 'darkroom-worker-'));
  await packWorker(ROOT, project);
  await run('tar', ['-xzf', WORKER_PACKAGE], { cwd: project });
  await run('mkdir', ['-p', installed('..')]);
  await rename(join(project, 'package'), installed(''));
  // In place of an installation from the registry: the packages that the manifest names. They find their own by their
  // true paths.
  const { dependencies } = JSON.parse(await readFile(installed('package.json'), 'utf8'));
  await mkdir(installed('node_modules'));
  for (const name of Object.keys(dependencies)) {
    await symlink(join(ROOT, 'node_modules', name), installed(`node_modules/${name}`));
  }
});
afterAll(async () => {
  await service?.stop();
  await rm(project, { recursive: true, force: true });
});

it('depends on the packages that a worker runs alone, by their versions, and holds no other part of the service', async () => {
  const manifest = JSON.parse(await readFile(installed('package.json'), 'utf8'));
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(manifest.version).toBe(CLIENTS_VERSION);
  expect(manifest.dependencies).toMatchObject({ sharp: dependencies.sharp, tsx: dependencies.tsx });
  for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d/);
  expect(Object.keys(manifest.dependencies).toSorted()).toEqual(PACKAGES);
  expect(await listFolders('')).toEqual([
    'bin',
    'clients',
    'models',
    'node_modules',
    'public',
    'scripts',
    'server',
  ]);
  expect(await listFolders('server')).toEqual(['base', 'jobs', 'ops', 'runtime']);
  expect(await listFolders('server/jobs')).toEqual(['runs']);
  expect(await listFolders('server/ops')).toEqual(['build']);
});

it('runs a job of its account', async () => {
  const { stdout } = await run(process.execPath, [installed('bin/darkroom-worker.js'), '--version']);
  expect(stdout).toBe(`darkroom ${CLIENTS_VERSION}\n`);
  const env = {
    PATH: process.env.PATH,
    HOME: project,
    DARKROOM_URL: service.url,
    DARKROOM_KEY: service.api.apiKey,
    MODELS_OFFLINE: '1',
  };
  const worker = spawn(process.execPath, [installed('bin/darkroom-worker.js')], { env, cwd: project });
  let text = '';
  for (const stream of [worker.stdout, worker.stderr])
    stream.on('data', (part) => {
      text += part;
    });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  try {
    const client = createClient({ origin: service.url, apiKey: service.api.apiKey });
    const params = { to_format: 'webp', run_on: 'own' } as const;
    const job = await client.run('media-convert-image', service.api.imageUrl, params, {
      signal: AbortSignal.timeout(90_000),
    });
    expect(job).toMatchObject({ run_on: 'own', output: { media_type: 'image/webp' } });
    expect((await client.workers()).workers).toHaveLength(1);
  } catch (thrown) {
    throw new Error(text, { cause: thrown });
  } finally {
    worker.kill('SIGINT');
    await ended;
  }
});

// @module-tag long

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packClients } from '../../server/ops/build/build.ts';
import { CLIENT_PACKAGES } from '../../server/ops/build/client-packages.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** Folder of a project that has installed the packed client. */
let project = '';
const installed = (path: string) => join(project, 'node_modules/@darkroom/client', path);
let packages: string[] = [];
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'darkroom-package-'));
  const folder = join(project, 'packages');
  await packClients(ROOT, folder);
  packages = (await readdir(folder)).toSorted();
  await writeFile(join(project, 'package.json'), '{"name":"empty","type":"module"}');
  const isolated = ['--offline', '--no-audit', '--no-fund', '--cache', join(project, 'cache')];
  await run('npm', ['install', ...isolated, join(folder, CLIENT_PACKAGES.typescript)], { cwd: project });
});
afterAll(() => rm(project, { recursive: true, force: true }));

it('is one file for npm and one for pip, and installs without a network', async () => {
  expect(packages).toEqual([expect.stringMatching(/\.whl$/), expect.stringMatching(/\.tgz$/)]);
  expect(await readdir(join(project, 'node_modules'))).toEqual(['.bin', '.package-lock.json', '@darkroom']);
});

it('holds JavaScript and types, and no sources', async () => {
  const files = await readdir(installed(''), { recursive: true });
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
  );
  expect(files.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
});

it('has the licences of the packages that it bundles', async () => {
  const text = await readFile(installed('dist/THIRD-PARTY-LICENCES.txt'), 'utf8');
  for (const name of ['@modelcontextprotocol/sdk', 'zod', 'ajv'])
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

it('works in plain Node', async () => {
  await writeFile(join(project, 'note.txt'), 'seventeen letters');
  const program = `
    import { createClient, ApiError } from '@darkroom/client';
    import { openFile } from '@darkroom/client/node';
    const fetch = async (request) => Response.json({ upload_url: request.url + (await request.blob()).size });
    const client = createClient({ apiKey: 'a', origin: 'http://service.example', fetch });
    console.log(await client.upload(await openFile('note.txt')), ApiError.name);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: project });
  expect(stdout.trim()).toBe('http://service.example/api/uploads?name=note.txt17 ApiError');
});

it('brings the command', async () => {
  const bin = installed('dist/cli/bin.js');
  const { version } = JSON.parse(await readFile(installed('package.json'), 'utf8'));
  expect((await run(process.execPath, [bin, '--version'])).stdout).toBe(`darkroom ${version}\n`);
  const local = run(process.execPath, [bin, 'convert', '--to', 'png', 'a.png', '--local']);
  await expect(local).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not available here'),
  });
  // It loads what it needs to serve an agent, and then finds no service.
  const env = { ...process.env, DARKROOM_URL: 'http://127.0.0.1:9', DARKROOM_KEY: 'mk_a' };
  const agent = run(process.execPath, [bin, 'mcp'], { env });
  await expect(agent).rejects.toMatchObject({
    code: 5,
    stderr: expect.stringContaining('cannot be reached'),
  });
  expect((await run(process.execPath, [bin, 'convert', '--help'])).stdout).toContain('--keep-metadata');
  const refused = run(process.execPath, [bin, 'convert', '--to', 'psd', 'a.png']);
  await expect(refused).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Choose jpg') });
});

it('imports nothing of Node where browsers import it', async () => {
  const { build } = await import('esbuild');
  const { outputFiles, errors } = await build({
    stdin: { contents: `export * from '@darkroom/client';`, resolveDir: project },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    minify: true,
    write: false,
    logLevel: 'silent',
  });
  expect(errors).toEqual([]);
  expect(outputFiles[0]?.text.length).toBeLessThan(19_000);
});

it('has types that a strict project accepts, and that know each operation', async () => {
  await writeFile(
    join(project, 'use.ts'),
    `import { createClient, verifyWebhook } from '@darkroom/client';
     const client = createClient({ apiKey: 'a', origin: 'http://service.example' });
     const job = await client.run('media-convert-image', 'https://example.com/a', { to_format: 'avif' });
     export const urls: string[] = job.output.media_url;
     const items = [{ input: 'https://example.com/a', params: { to_format: 'gif' as const } }];
     const batch: string = await client.submitBatch('media-convert-image', items, { to_format: 'avif' });
     export const event = await verifyWebhook(batch, new Headers(), 'whsec_');
     if ('type' in event) console.log(event.share, event.cap_usd);
     else console.log(event.request_id, event.output?.media_url);
     // @ts-expect-error there is no such format
     await client.run('media-convert-image', 'https://example.com/a', { to_format: 'psd' });`,
  );
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
  const checked = run(process.execPath, [COMPILER, ...flags, 'use.ts'], { cwd: project });
  await expect(checked.catch(({ stdout }) => Promise.reject(new Error(stdout)))).resolves.toBeDefined();
});

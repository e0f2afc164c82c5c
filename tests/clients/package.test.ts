// @module-tag long

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const CLIENT = join(import.meta.dirname, '../../clients/typescript');
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** Folder of a project that has installed the packed client. */
let project = '';
let files: string[] = [];
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'darkroom-package-'));
  // The build is a script of npm, which a machine's own settings may switch off.
  const pack = ['pack', '--json', '--ignore-scripts=false', '--pack-destination', project];
  const { stdout } = await run('npm', pack, { cwd: CLIENT });
  // The build may print before.
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  files = packed.files.map(({ path }: { path: string }) => path);
  const folder = join(project, 'node_modules/@darkroom/client');
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', join(project, packed.filename), '-C', folder, '--strip-components', '1']);
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
});
afterAll(() => rm(project, { recursive: true, force: true }));

it('holds JavaScript and types, and no sources', () => {
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
  );
  expect(files.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
});

it('works in plain Node', async () => {
  const program = `
    import { createClient, ApiError } from '@darkroom/client';
    import { openFile } from '@darkroom/client/node';
    const fetch = async (request) => Response.json({ upload_url: request.url + (await request.blob()).size });
    const client = createClient({ apiKey: 'a', origin: 'http://service.example', fetch });
    console.log(await client.upload(await openFile('package.json')), ApiError.name);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: project });
  expect(stdout.trim()).toBe('http://service.example/api/uploads17 ApiError');
});

it('brings the command', async () => {
  const bin = join(project, 'node_modules/@darkroom/client/dist/cli/bin.js');
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
  expect(outputFiles[0]?.text.length).toBeLessThan(15_000);
});

it('has types that a strict project accepts, and that know each operation', async () => {
  await writeFile(
    join(project, 'use.ts'),
    `import { createClient } from '@darkroom/client';
     const client = createClient({ apiKey: 'a', origin: 'http://service.example' });
     const job = await client.run('media-convert-image', 'https://example.com/a', { to_format: 'avif' });
     export const urls: string[] | undefined = job.output?.media_url;
     // @ts-expect-error there is no such format
     await client.run('media-convert-image', 'https://example.com/a', { to_format: 'psd' });`,
  );
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
  const checked = run(process.execPath, [COMPILER, ...flags, 'use.ts'], { cwd: project });
  await expect(checked.catch(({ stdout }) => Promise.reject(new Error(stdout)))).resolves.toBeDefined();
});

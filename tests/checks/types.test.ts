import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = resolve(import.meta.dirname, '../..');
const COMPILER = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
/** Programs of `npm run check:types`. */
const PROGRAMS = manifest.scripts['check:types']
  .replace(/^.* --build /, '')
  .replaceAll(/--\w+ \d+ /g, '')
  .split(' ');
const run = promisify(execFile);

/** Each line of it is an error where its global or its rule is missing. */
const FAULTS: Readonly<Record<string, string>> = {
  dom: 'export const title: string = document.title;',
  node: 'export const pid: number = process.pid;',
  strict: 'export const length = (text: string | null): number => text.length;',
  optional: 'export const optional: { name?: string } = { name: undefined };',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'types-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the faults that a program's settings find. */
async function findFaults(program: string): Promise<string[]> {
  const path = join(folder, program.replaceAll(/\W/g, '-'));
  await mkdir(path);
  for (const [name, source] of Object.entries(FAULTS)) await writeFile(join(path, `${name}.ts`), source);
  const settings = {
    extends: join(ROOT, program, 'tsconfig.json'),
    compilerOptions: { incremental: false, tsBuildInfoFile: null, rootDir: '.', plugins: [] },
    include: ['*.ts'],
    exclude: [],
  };
  await writeFile(join(path, 'tsconfig.json'), JSON.stringify(settings));
  const output = await run(process.execPath, [COMPILER, '-p', path, '--pretty', 'false']).then(
    () => '',
    ({ stdout }) => String(stdout),
  );
  const found = output.matchAll(/^(?:.*\/)?(\w+)\.ts\(\d+,\d+\): error/gm);
  return [...new Set([...found].map(([, name]) => name ?? ''))].sort();
}

const ALWAYS = ['optional', 'strict'];

it.each([
  ['models', [...ALWAYS, 'dom', 'node']],
  ['workers', [...ALWAYS, 'node']],
  ['tests', [...ALWAYS, 'dom']],
  ['clients/typescript', ALWAYS],
  ['clients/examples', ALWAYS],
  ['tests/studio', ALWAYS],
  ['.', ALWAYS],
])('%s may not use what it does not have', async (program, faults) => {
  expect(await findFaults(program)).toEqual([...faults].sort());
});

it('every source is in a program, and those of models/ also in the one that knows neither pages nor Node', async () => {
  const lists = await Promise.all(PROGRAMS.map(listSources));
  const checked = new Set(lists.flat());
  const { stdout } = await run('git', ['ls-files', '*.ts', '*.tsx'], { cwd: ROOT });
  const sources = stdout.split('\n').filter(Boolean);
  expect(sources.filter((source) => !checked.has(source))).toEqual([]);
  const models = sources.filter((source) => source.startsWith('models/'));
  expect(lists[PROGRAMS.indexOf('models')]).toEqual(expect.arrayContaining(models));
});

/** Lists the files that the settings of a program name, by their paths from the root. */
async function listSources(program: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, [COMPILER, '-p', join(ROOT, program), '--showConfig']);
  const { files = [] } = JSON.parse(stdout) as { files?: readonly string[] };
  return files.map((file) => relative(ROOT, resolve(ROOT, program, file)));
}

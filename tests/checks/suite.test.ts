import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { HEAVY_FILES } from '../../lab/test-report/heavy-files.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Sources of the tests by path. */
let sources: ReadonlyMap<string, string>;
beforeAll(async () => {
  const names = await readdir(join(ROOT, 'tests'), { recursive: true });
  const tests = names.filter((name) => name.endsWith('.test.ts')).map((name) => `tests/${name}`);
  const texts = tests.map(async (test) => [test, await readFile(join(ROOT, test), 'utf8')] as const);
  sources = new Map(await Promise.all(texts));
});

it('the table of heavy files names files with tests', () => {
  const missing = Object.keys(HEAVY_FILES).filter((file) => !sources.has(file));
  expect(missing).toEqual([]);
});

it('every test of shared data says so in its title, by one function', () => {
  const faulty = [...sources].filter(([path, source]) => {
    const looksUp = source.match(/\bsharedData\(/g)?.length ?? 0;
    const titles = source.match(/\.titled\(/g)?.length ?? 0;
    const looksElsewhere =
      /DARKROOM_SHARED|\.\.\/shared/.test(source) && path !== 'tests/checks/suite.test.ts';
    return looksElsewhere || titles < looksUp;
  });
  expect(faulty.map(([path]) => path)).toEqual([]);
});

it('the table of the docs lists every test of shared data', async () => {
  const docs = await readFile(join(ROOT, 'tests/README.md'), 'utf8');
  const [, table = ''] = docs.split('| Needs `DARKROOM_SHARED` | Twin |');
  const needs = table
    .slice(0, table.indexOf('\n\n'))
    .split('\n')
    .map((row) => row.split('|')[1] ?? '');
  const listed = needs.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  const looking = [...sources].filter(([, source]) => /\bsharedData\(/.test(source)).map(([path]) => path);
  expect(listed.map((name) => `tests/${name}.test.ts`).toSorted()).toEqual(looking.toSorted());
});

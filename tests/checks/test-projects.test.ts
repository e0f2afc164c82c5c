import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { scripts } from '../../package.json' with { type: 'json' };

const ROOT = resolve(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const run = promisify(execFile);

/** Lists the files that a command of vitest runs, once for each project that has them. */
async function listFiles(...args: readonly string[]): Promise<string[]> {
  const { stdout } = await run(process.execPath, [VITEST, 'list', '--filesOnly', '--json', ...args], {
    cwd: ROOT,
  });
  const rows: readonly { file: string }[] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  return rows.map(({ file }) => file.slice(ROOT.length + 1)).sort();
}

/** Reads the choice of projects after a command in a text. */
function choiceAfter(command: string, text: string): string {
  const [, choice = ''] = text.split(`${command} `)[1]?.match(/(--project='[^']*')/) ?? [];
  return choice.replaceAll("'", '');
}

let all: string[];
let short: string[];
let long: string[];
beforeAll(async () => {
  const names = await readdir(join(ROOT, 'tests'), { recursive: true });
  all = names
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `tests/${name}`)
    .sort();
  const ci = await readFile(join(ROOT, '.ci/run'), 'utf8');
  [short, long] = await Promise.all([
    listFiles(choiceAfter('vitest run', scripts.test)),
    listFiles(choiceAfter('npm run test:all --', ci)),
  ]);
});

it('each test file is in one project, so `.ci/run` runs it once', () => {
  expect([...short, ...long].sort()).toEqual(all);
});

it('`npm test` leaves out the files that are named long, and only those', () => {
  expect(long).toEqual(all.filter((file) => file.endsWith('.long.test.ts')));
});

it('every test of shared data says so in its title, by one function', async () => {
  const texts = await Promise.all(all.map((file) => readFile(join(ROOT, file), 'utf8')));
  const others = all.filter((file, at) => {
    const text = texts[at] ?? '';
    if (file === 'tests/checks/test-projects.test.ts') return false;
    const looksUp = text.match(/sharedData\(/g)?.length ?? 0;
    const titles = text.match(/\.titled\(/g)?.length ?? 0;
    return /DARKROOM_SHARED|\.\.\/shared/.test(text) || titles < looksUp;
  });
  expect(others).toEqual([]);
});

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isBuilt } from '../../../../server/ops/build/is-built.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const [EARLIER, LATER] = [new Date('2026-01-01'), new Date('2026-01-02')];
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'start-'));
  for (const folder of ['server', 'scripts', 'app', '.next/parts']) {
    await mkdir(join(root, folder), { recursive: true });
  }
});
afterEach(() => rm(root, { recursive: true }));

async function writeAt(path: string, at: Date, text = ''): Promise<void> {
  await writeFile(join(root, path), text);
  await utimes(join(root, path), at, at);
  for (const folder of ['app', 'server']) await utimes(join(root, folder), EARLIER, EARLIER);
}

test('a build that is newer than every source is used', async () => {
  await writeAt('app/page.tsx', EARLIER);
  await writeAt('.next/parts/main.mjs', LATER);
  expect(await isBuilt(root)).toBe(true);
});

test('a build that is older than a source, or has not ended, is not used', async () => {
  await writeAt('.next/BUILD_ID', LATER);
  expect(await isBuilt(root)).toBe(false);
  await writeAt('.next/parts/main.mjs', EARLIER);
  await writeAt('app/page.tsx', LATER);
  expect(await isBuilt(root)).toBe(false);
});

test('npm start builds again after a change, though the build removes the code that was compiled before', async () => {
  await cp(join(ROOT, 'server/start.mjs'), join(root, 'server/start.mjs'));
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  await writeAt('.next/parts/is-built.mjs', EARLIER, 'export const isBuilt = async () => false;');
  await writeAt('.next/parts/main.mjs', EARLIER, `console.log('old');`);
  const build = `
    import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
    rmSync('.next', { recursive: true });
    mkdirSync('.next/parts', { recursive: true });
    writeFileSync('.next/parts/main.mjs', "console.log('new');");`;
  await writeAt('scripts/build.ts', EARLIER, build);
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'server/start.mjs')]);
  expect(stdout.trim()).toBe('new');
});

test('npm start with BUILD_ON_START=never runs the last build, though a source is newer', async () => {
  await cp(join(ROOT, 'server/start.mjs'), join(root, 'server/start.mjs'));
  await writeAt('.next/parts/is-built.mjs', EARLIER, 'export const isBuilt = async () => false;');
  await writeAt('.next/parts/main.mjs', EARLIER, `console.log('old');`);
  const env = { ...process.env, BUILD_ON_START: 'never' };
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'server/start.mjs')], { env });
  expect(stdout.trim()).toBe('old');
});

test('npm start, asked to stop while it builds, ends the build with it', async () => {
  await cp(join(ROOT, 'server/start.mjs'), join(root, 'server/start.mjs'));
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  await writeAt('scripts/build.ts', EARLIER, 'console.log(process.pid); setInterval(() => {}, 1000);');
  const start = spawn(process.execPath, [join(root, 'server/start.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = await once(start.stdout, 'data');
  start.kill('SIGTERM');
  await once(start, 'exit');
  const isAlive = () => {
    try {
      return process.kill(Number(pid), 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isAlive).toBe(false);
});

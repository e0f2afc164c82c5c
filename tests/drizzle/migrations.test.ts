import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'darkroom-migrations-'));
  await cp('drizzle/migrations', copy, { recursive: true });
});
afterAll(() => rm(copy, { recursive: true }));

test('the migrations create the whole schema', async () => {
  const command = ['node_modules/drizzle-kit/bin.cjs', 'generate'];
  // The tool treats an absolute path as relative.
  const out = relative('.', copy);
  const options = ['--dialect=postgresql', '--schema=drizzle/*.ts', `--out=${out}`];
  const { stdout } = await promisify(execFile)(process.execPath, [...command, ...options]);
  expect(stdout).toContain('No schema changes');
});

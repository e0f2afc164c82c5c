import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeVipsGlue } from '../../../server/ops/build/patch-vips.ts';

const PACKAGE = 'node_modules/wasm-vips/lib/vips-es6.js';
const RESULT = 'workers/vendor/vips-es6.js';
let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vips-'));
  await mkdir(join(root, 'node_modules/wasm-vips/lib'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const glue = () => readFile(resolve(import.meta.dirname, '../../..', PACKAGE), 'utf8');

it('writes glue that makes no code from strings, in place of another file', async () => {
  expect(await glue()).toMatch(/new Function\(|eval\(/);
  await writeFile(join(root, PACKAGE), await glue());
  writeVipsGlue(root);
  const written = await readFile(join(root, RESULT), 'utf8');
  expect(written).not.toMatch(/\bFunction\(|\beval\(/);
  await writeFile(join(root, RESULT), 'other');
  writeVipsGlue(root);
  expect(await readFile(join(root, RESULT), 'utf8')).toBe(written);
});

it('refuses a package that it was not made for, and writes nothing', async () => {
  await writeFile(join(root, PACKAGE), `${await glue()}\n`);
  expect(() => writeVipsGlue(root)).toThrow(/vips-es6\.js is not the file/);
  await expect(readFile(join(root, RESULT))).rejects.toMatchObject({ code: 'ENOENT' });
});

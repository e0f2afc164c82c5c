import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { childCode } from '../../server/child-code.ts';

const childModule = fileURLToPath(new URL('../../server/runner/child.ts', import.meta.url));

test('a module whose compilation failed is compiled again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'child-code-'));
  const path = join(directory, 'operations.ts');
  await writeFile(path, 'export const OPERATIONS = {');
  await expect(childCode({ childModule, operationsModule: path })).rejects.toThrow('operations.ts');
  await writeFile(path, "export const OPERATIONS = { 'only-one': null };");
  expect(await childCode({ childModule, operationsModule: path })).toContain('only-one');
  await rm(directory, { recursive: true });
});

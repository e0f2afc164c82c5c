import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileChildCode } from '../../../../server/base/children/compile-child-code.ts';

const childModule = fileURLToPath(new URL('../../../../server/jobs/runs/child.ts', import.meta.url));

test('a module whose compilation failed is compiled again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'child-code-'));
  const path = join(directory, 'operations.ts');
  await writeFile(path, 'export const OPERATIONS = {');
  await expect(compileChildCode({ childModule, operationsModule: path })).rejects.toThrow('operations.ts');
  await writeFile(path, "export const OPERATIONS = { 'only-one': null };");
  expect(await compileChildCode({ childModule, operationsModule: path })).toContain('only-one');
  await rm(directory, { recursive: true });
});

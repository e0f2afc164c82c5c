import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openAliveFile } from '../../../../server/ops/process/lifecycle.ts';

const folder = mkdtempSync(join(tmpdir(), 'darkroom-alive-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the file that a killed runner has left tells nothing of the next one, until that one works', () => {
  const path = join(folder, 'runner.alive');
  writeFileSync(path, '');
  const alive = openAliveFile(path);
  expect(existsSync(path)).toBe(false);
  alive.begin();
  expect(existsSync(path)).toBe(true);
  alive.end();
  expect(existsSync(path)).toBe(false);
});

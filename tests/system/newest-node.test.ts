// @module-tag long
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

test('the built checkout works with the newest Node, which npm brings', async () => {
  await expect(promisify(execFile)(resolve(ROOT, '.ci/newest-node'), { cwd: ROOT })).resolves.toBeDefined();
});

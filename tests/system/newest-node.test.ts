// @module-tag long
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

// The limits of the script end before: then the error says how far it came.
test('the built checkout works with the newest Node, which npm brings', { timeout: 660_000 }, async () => {
  const run = promisify(execFile)(resolve(ROOT, '.ci/newest-node'), { cwd: ROOT });
  const { stdout } = await run.catch((error) => Promise.reject(new Error(`${error.stdout}${error}`)));
  expect(stdout).toContain('The product works with Node');
});

import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { hiddenTests } from '../../scripts/hidden-tests.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TESTS = execFileSync('git', ['ls-files', 'tests/**/*.test.ts'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean);

it.each([
  ['app/(studio)/convert/page.tsx', 'tests/studio/convert.test.ts'],
  ['workers/operation.worker.ts', 'tests/workers/bridge.test.ts'],
  ['models/kernels/raster/resize.ts', 'tests/workers/golden.test.ts'],
  ['scripts/support/pages-process.ts', 'tests/studio/pages.test.ts'],
  ['tests/support/chromium-setup.ts', 'tests/studio/convert.test.ts'],
  ['server/runner/child.ts', 'tests/server/runner/pool.test.ts'],
  ['server/main.ts', 'tests/system/start.test.ts'],
  ['drizzle/migrations/0001_x.sql', 'tests/drizzle/migrations.test.ts'],
  ['.dependency-cruiser.cjs', 'tests/checks/arrows.test.ts'],
])('a change of %s selects %s, which does not import it', (changed, test) => {
  expect(hiddenTests([changed], TESTS)).toContain(test);
});

it('a change that imports reveal selects no further test', () => {
  expect(hiddenTests(['server/wallet/hold.ts', 'README.md', 'tests/app/batch.test.ts'], TESTS)).toEqual([]);
});

import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { findIndirectTests } from '../../lab/indirect-tests.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TESTS = execFileSync('git', ['ls-files', 'tests/**/*.test.ts'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean);

it.each([
  ['app/(tools)/[tool]/page.tsx', 'tests/studio/tools/convert.test.ts'],
  ['workers/operation/operation.worker.ts', 'tests/workers/bridge.test.ts'],
  ['models/kernels/raster/resize.ts', 'tests/workers/golden.test.ts'],
  ['lab/support/pages-process.ts', 'tests/studio/pages/pages.test.ts'],
  ['tests/support/setup/chromium-setup.ts', 'tests/studio/tools/convert.test.ts'],
  ['server/jobs/runs/child.ts', 'tests/server/jobs/runner/pool.test.ts'],
  ['server/ops/process/main.ts', 'tests/system/start.test.ts'],
  ['drizzle/migrations/0001_x.sql', 'tests/drizzle/migrations.test.ts'],
  ['.dependency-cruiser.cjs', 'tests/checks/arrows.test.ts'],
])('a change of %s selects %s, which does not import it', (changed, test) => {
  expect(findIndirectTests([changed], TESTS)).toContain(test);
});

it('a change that imports reveal selects no further test', () => {
  expect(
    findIndirectTests(['server/money/wallet/holds.ts', 'README.md', 'tests/app/runs/batch.test.ts'], TESTS),
  ).toEqual([]);
});

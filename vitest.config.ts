import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { HeavyFirst } from './lab/test-report/heavy-first.ts';
import { RunReporter } from './lab/test-report/run-reporter.ts';

/** Tests that start the product's own processes: after all others, so that they have the machine. */
const WHOLE_PRODUCT = ['system', 'chaos', 'abuse/product'].map((folder) => `tests/${folder}/**/*.test.ts`);
/** Tests that drive the built pages in a real browser: they need no database. */
const STUDIO = ['tests/studio/**/*.test.ts'];
/** Tests that run the code of `workers/` in a real browser: they need neither build nor database. */
const WORKERS = ['tests/workers/**/*.test.ts'];
/** Tests that replace a module for every module that imports it: they share no process. */
const ISOLATED = ['tests/models/media/image/new-format.test.ts'];
/** Files that are long as a whole: `npm test` would load each, and run none of its tests. */
const LONG = process.argv.includes('--tags-filter=!long') ? listLongFiles() : [];
const DATABASE = 'tests/support/setup/global-setup.ts';
const BUILD = 'tests/support/setup/build-setup.ts';
const CHROMIUM = 'tests/support/setup/chromium-setup.ts';
/** Pages wait for a third of their time. Files share processes: each would load playwright again. */
const IN_BROWSER = {
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  isolate: false,
  testTimeout: 240_000,
  sequence: { groupOrder: 1 },
};
/** Second attempts of a test that waits for a database, a browser or a service: the last lines of a run count them. */
const RETRIES = 1;

export default defineConfig({
  test: {
    pool: 'forks',
    reporters: ['default', new RunReporter()],
    sequence: { sequencer: HeavyFirst },
    // Tests of processes and databases wait for two thirds of their time, in which others compute.
    maxWorkers: 3 * availableParallelism(),
    // Wide, for machines that do other work besides: these end what hangs, and measure nothing.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    retry: RETRIES,
    exclude: LONG,
    tags: [
      {
        name: 'long',
        description: 'Soaks, chaos, abuse, all visual states, quality measures: left out by `npm test`.',
      },
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['tests/**/*.test.ts'],
          exclude: [...WHOLE_PRODUCT, ...STUDIO, ...WORKERS, ...ISOLATED],
          globalSetup: [DATABASE],
          // A process for each file would load the same modules two hundred times.
          isolate: false,
          setupFiles: ['tests/support/setup/restore-setup.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: { name: 'workers', include: WORKERS, globalSetup: [CHROMIUM], ...IN_BROWSER },
      },
      {
        extends: true,
        test: {
          name: 'studio',
          include: STUDIO,
          globalSetup: [BUILD, 'tests/studio/support/serve-setup.ts', CHROMIUM],
          ...IN_BROWSER,
        },
      },
      {
        extends: true,
        test: {
          name: 'product',
          include: WHOLE_PRODUCT,
          globalSetup: [DATABASE, BUILD],
          // A start in the middle of a run would replace what other tests serve.
          env: { BUILD_ON_START: 'never' },
          // Most of them wait for processes. Two at a time leave each a core.
          maxWorkers: 2,
          hookTimeout: 300_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

function listLongFiles(): string[] {
  const names = readdirSync(join(import.meta.dirname, 'tests'), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.test.ts')).map((name) => `tests/${name}`);
  const isLong = (file: string) =>
    /^\/\/ @module-tag long$/m.test(readFileSync(join(import.meta.dirname, file), 'utf8'));
  return files.filter(isLong);
}

import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { RunReporter } from './scripts/test-report/run-reporter.ts';

type TestSettings = NonNullable<TestProjectInlineConfiguration['test']>;

/** Tests that start the product's own processes: after all others and one by one, so that they have the machine. */
const WHOLE_PRODUCT = ['system', 'chaos', 'abuse/product'].map((folder) => `tests/${folder}/**`);
/** Tests that drive the built pages in a real browser: they need no database. */
const STUDIO = ['tests/studio/**'];
/** Tests that run the code of `workers/` in a real browser: they need neither build nor database. */
const WORKERS = ['tests/workers/**'];
const DATABASE = 'tests/support/setup/global-setup.ts';
const BUILD = 'tests/support/setup/build-setup.ts';
const CHROMIUM = 'tests/support/setup/chromium-setup.ts';
/** A page that waits for a frame needs a core of its own. Files share processes: each would load playwright again. */
const IN_BROWSER = {
  maxWorkers: availableParallelism(),
  isolate: false,
  testTimeout: 240_000,
  sequence: { groupOrder: 1 },
};
/** A second attempt of a test that waits for a whole browser or service. `.ci/run` counts them, and allows few. */
const ONE_RETRY = { retry: 1 };

/** Divides a project in two: `npm test` leaves out the files of the second one, which are named `*.long.test.ts`. */
function divide(
  name: string,
  folders: readonly string[],
  settings: TestSettings,
): TestProjectInlineConfiguration[] {
  const tests = folders.map((folder) => `${folder}/*.test.ts`);
  const longTests = folders.map((folder) => `${folder}/*.long.test.ts`);
  const elsewhere = settings.exclude ?? [];
  return [
    { extends: true, test: { ...settings, name, include: tests, exclude: [...elsewhere, ...longTests] } },
    { extends: true, test: { ...settings, name: `${name}-long`, include: longTests, exclude: elsewhere } },
  ];
}

export default defineConfig({
  test: {
    pool: 'forks',
    reporters: ['default', new RunReporter()],
    // vitest would leave one core free, which is half of a machine with two; and a test that waits lets another compute.
    maxWorkers: availableParallelism() + 1,
    // Wide, for machines that do other work besides: these end what hangs, and measure nothing.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      ...divide('parts', ['tests/**'], {
        exclude: [...WHOLE_PRODUCT, ...STUDIO, ...WORKERS],
        globalSetup: [DATABASE],
        // A process for each file would load the same modules two hundred times.
        isolate: false,
        setupFiles: ['tests/support/setup/restore-setup.ts'],
        sequence: { groupOrder: 0 },
      }),
      ...divide('workers', WORKERS, { globalSetup: [CHROMIUM], ...IN_BROWSER }),
      ...divide('studio', STUDIO, {
        globalSetup: [BUILD, 'tests/studio/support/serve-setup.ts', CHROMIUM],
        ...IN_BROWSER,
        ...ONE_RETRY,
      }),
      ...divide('product', WHOLE_PRODUCT, {
        globalSetup: [DATABASE, BUILD],
        maxWorkers: 1,
        hookTimeout: 300_000,
        sequence: { groupOrder: 2 },
        ...ONE_RETRY,
      }),
    ],
  },
});

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that start the product's own processes: after all others and one by one, so that they have the machine. */
const WHOLE_PRODUCT = ['system', 'chaos', 'abuse/product'].map((folder) => `tests/${folder}/**/*.test.ts`);
/** Tests that drive the built pages in a real browser: they need no database. */
const STUDIO = ['tests/studio/**/*.test.ts'];
/** Tests that run the code of `workers/` in a real browser: they need neither build nor database. */
const WORKERS = ['tests/workers/**/*.test.ts'];
const DATABASE = 'tests/support/setup/global-setup.ts';
const CHROMIUM = 'tests/support/setup/chromium-setup.ts';
/** A page that waits for a frame needs a core of its own. Files share processes: each would load playwright again. */
const IN_BROWSER = {
  maxWorkers: availableParallelism(),
  isolate: false,
  testTimeout: 240_000,
  sequence: { groupOrder: 1 },
};

export default defineConfig({
  test: {
    pool: 'forks',
    // vitest would leave one core free, which is half of a machine with two; and a test that waits lets another compute.
    maxWorkers: availableParallelism() + 1,
    // Wide, for machines that do other work besides: these end what hangs, and measure nothing.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // A test fails when it fails twice: a busy machine can be late once. The reporter names each that ran again.
    retry: 1,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['tests/**/*.test.ts'],
          exclude: [...WHOLE_PRODUCT, ...STUDIO, ...WORKERS],
          globalSetup: [DATABASE],
          // A process for each file would load the same modules two hundred times.
          isolate: false,
          setupFiles: ['tests/support/setup/restore-setup.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'workers', include: WORKERS, globalSetup: [CHROMIUM], ...IN_BROWSER },
      },
      {
        extends: true,
        test: {
          name: 'studio',
          include: STUDIO,
          globalSetup: [
            'tests/support/setup/build-setup.ts',
            'tests/studio/support/serve-setup.ts',
            CHROMIUM,
          ],
          ...IN_BROWSER,
        },
      },
      {
        extends: true,
        test: {
          name: 'product',
          include: WHOLE_PRODUCT,
          globalSetup: [DATABASE, 'tests/support/setup/build-setup.ts'],
          maxWorkers: 1,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';

/** Tests that start the product's own processes: after all others and one by one, so that they have the machine. */
const WHOLE_PRODUCT = ['tests/system/**/*.test.ts', 'tests/chaos/**/*.test.ts'];
/** Tests that drive the built pages in a real browser: they need no database. */
const STUDIO = ['tests/studio/**/*.test.ts'];
const DATABASE = 'tests/support/global-setup.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    // Wide, for machines that do other work besides: these end what hangs, and measure nothing.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['tests/**/*.test.ts'],
          exclude: [...WHOLE_PRODUCT, ...STUDIO],
          globalSetup: [DATABASE],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'studio',
          include: STUDIO,
          globalSetup: ['tests/support/build-setup.ts', 'tests/studio/support/serve-setup.ts'],
          maxWorkers: 1,
          testTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'product',
          include: WHOLE_PRODUCT,
          globalSetup: [DATABASE, 'tests/support/build-setup.ts'],
          maxWorkers: 1,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { storeRunTimes } from '../support/stored-run-times.ts';
import { connectBrowser } from '../support/visit.ts';

const visit = connectBrowser();

/** Counts the workers in which a page runs operations. */
const countWorkers = (page: Page) =>
  page.workers().filter((worker) => !worker.url().includes('capabilities')).length;

test('a worker is prepared once the visitor reaches for the first file', async () => {
  const { page } = await visit('/remove-bg');
  expect(countWorkers(page)).toBe(0);
  await page.locator('[data-stage]').hover();
  await expect.poll(() => countWorkers(page)).toBeGreaterThan(0);
});

test('a worker is prepared as soon as a tool is open that has run on this device before', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/remove-bg', {
    prepare: (prepared) => storeRunTimes(prepared, 'remove-bg'),
  });
  await expect.poll(() => countWorkers(page)).toBeGreaterThan(0);
});

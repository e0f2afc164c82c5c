import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';

let page: WorkerPage;
beforeAll(async () => {
  page = await openSharedWorkerPage();
});
afterAll(() => page.stop());

test('a prepared worker waits while its page is visible', async () => {
  const count = () => page.page.workers().filter((worker) => worker.url().includes('operation')).length;
  await page.page.clock.install();
  await page.page.evaluate(`prepareRun('media-convert-image')`);
  await expect.poll(count).toBe(1);
  await page.page.clock.runFor(300_000);
  expect(count()).toBe(1);
});

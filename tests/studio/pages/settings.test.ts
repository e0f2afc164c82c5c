import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { prependStatement, serveAlteredPages } from '../support/altered-pages.ts';
import { storeWeights } from '../support/stored-weights.ts';
import { connectBrowser, expectNoLogsOrUploads, openPage, reloadPage } from '../support/visit.ts';

const visit = connectBrowser();

const names = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('weights', { create: true });
    const found: string[] = [];
    for await (const name of folder.keys()) found.push(name);
    return found;
  });

test('the settings list models with size and licence, and delete stored ones', async () => {
  const visited = await visit('/settings');
  const { page } = visited;
  const row = (id: string) => page.getByRole('listitem').filter({ hasText: id });
  const open = () => page.getByText(/^All \d+ models$/).click();
  await open();
  await row('u2netp').getByText('4.6 MB to download').waitFor();
  await row('matte').getByText('5.3 MB, included').waitFor();
  await row('birefnet').getByText('MIT. Trained on DIS5K').waitFor();
  expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);

  await storeWeights(page, 'u2netp.onnx', 4_574_861);
  await storeWeights(page, 'modnet-fp16.onnx', 1_000_000);
  await reloadPage(page);
  await page.getByText('Downloaded when you choose them: 5.6 MB so far.').waitFor();
  await open();
  await row('u2netp').getByText('4.6 MB, stored on this device').waitFor();
  await row('modnet').getByText('12.0 MB of 13.0 MB left to download').waitFor();

  await page.getByRole('button', { name: 'Delete u2netp' }).click();
  await page.getByRole('status').getByText('u2netp is deleted.').waitFor();
  await row('u2netp').getByText('4.6 MB to download').waitFor();
  expect(await names(page)).toEqual(['modnet-fp16.onnx']);
  expectNoLogsOrUploads(visited);
});

test('a link next to the models leads to their licences', async () => {
  const { page } = await visit('/remove-bg');
  const link = page.getByRole('link', { name: 'Licences of the models', includeHidden: true });
  await openPage(page, (await link.getAttribute('href')) ?? '');
  await page.getByText('MIT. Trained on DIS5K').first().waitFor();
  const top = async () => (await page.getByRole('heading', { name: 'Models' }).boundingBox())?.y;
  await expect.poll(top).toBeLessThan(450);
  expect(await top()).toBeGreaterThanOrEqual(0);
});

test('the settings show the storage used, and ask the browser to make it persistent', {
  tags: ['long'],
}, async () => {
  // A browser's storage estimate changes with the machine's disk.
  const estimate = 'StorageManager.prototype.estimate = async () => ({ usage: 2.5e9, quota: 1e10 })';
  const baseURL = await serveAlteredPages((served) => prependStatement(served, estimate));
  const { page, complaints } = await visit('/settings', { baseURL });
  const room = page.getByRole('meter', { name: '2.5 GB of 10.0 GB used' });
  expect(await room.evaluate(({ value, max }: HTMLMeterElement) => value / max)).toBe(0.25);
  await page.getByText('The browser may delete this when storage runs low').waitFor();
  const keep = page.getByRole('button', { name: 'Keep it' });
  const devtools = await page.context().newCDPSession(page);
  const { browserContextId } = (await devtools.send('Target.getTargetInfo')).targetInfo;
  await devtools.send('Browser.grantPermissions', {
    origin: new URL(page.url()).origin,
    permissions: ['durableStorage'],
    ...(browserContextId && { browserContextId }),
  });
  await keep.click();
  await page.getByRole('status').getByText('All stays until you delete it.').waitFor();
  expect(await page.evaluate(() => navigator.storage.persisted())).toBe(true);
  expect(await keep.count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('nothing on the settings moves when what is stored has been read', { tags: ['long'] }, async () => {
  const { page } = await visit('/settings', { serviceWorkers: 'allow', prepare: countShifts });
  await page
    .getByText(/^[\d.]+ .B.* (ready offline|to download)$/)
    .first()
    .waitFor();
  await page.getByText('Models', { exact: true }).first().waitFor();
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThan(0.01);
});

/** Adds up how far what is seen moves without the visitor's doing. */
const countShifts = (page: Page) =>
  page.addInitScript(() => {
    const seen = Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

test('the settings report when the browser refuses persistent storage', { tags: ['long'] }, async () => {
  const { page } = await visit('/settings');
  await page.evaluate(() => {
    navigator.storage.persist = async () => false;
  });
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('status').getByText('The browser declined').waitFor();
});

test('the settings give the reason when they cannot test the device', { tags: ['long'] }, async () => {
  const baseURL = await serveAlteredPages((served) =>
    prependStatement(served, "if (!globalThis.document) throw new Error('not here')"),
  );
  const { page } = await visit('/settings', { baseURL });
  await page.getByRole('alert').getByText('not here').waitFor();
});

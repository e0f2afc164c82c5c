// @module-tag long
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { getImageFormat } from '../../../models/media/image/find-format.ts';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { serveCountedPages } from '../support/counted-pages.ts';
import { createBallPicture } from '../support/cutouts.ts';
import { createTestPicture } from '../support/pictures.ts';
import { chooseFiles, connectBrowser, downloadOnClick, openPage } from '../support/visit.ts';

const visit = connectBrowser();

const FIRST_VISIT_BYTES_MAX = 1_500_000;
/** Longer than a page waits before it caches a tool. */
const SETTLED_MS = 60_000;

const isProgram = (path: string) => /\.(wasm|onnx)$/.test(path);

/** Runs in the page. */
const untilActive = async () => void (await navigator.serviceWorker.ready);

/** Runs in the page: scrolls past everything that loads when it comes into view. */
const scrollThrough = () => scrollTo(0, document.body.scrollHeight);

const workOffline = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: /^Work offline: [\d.]+ MB$/ });

test('the first visit of the home page fetches at most 1.5 MB, and no program of a tool', async () => {
  const { url, sent } = await serveCountedPages();
  const prepare = (page: Page) => page.clock.install();
  const { page } = await visit('/', { baseURL: url, serviceWorkers: 'allow', prepare });
  await page.evaluate(untilActive);
  await page.evaluate(scrollThrough);
  await page.clock.fastForward(SETTLED_MS);
  await page.waitForLoadState('networkidle');
  const bytes = sent.reduce((sum, response) => sum + response.bytes, 0);
  expect(bytes).toBeGreaterThan(300_000);
  expect(bytes).toBeLessThan(FIRST_VISIT_BYTES_MAX);
  expect(sent.filter(({ path }) => isProgram(path))).toEqual([]);
});

test('a tool that was opened once works offline, and another page, and the dashboard, say that they need the internet', async () => {
  const { page } = await visit('/convert', { serviceWorkers: 'allow' });
  await untilConvertIsReady(page);
  await page.context().setOffline(true);
  await openPage(page, '/convert');
  const [name, bytes] = await convertToTiff(page);
  expect(name).toBe('holiday.tiff');
  expect(getImageFormat(bytes)).toBe('tiff');

  await page.context().setOffline(true);
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1, name: 'You’re offline.' }).waitFor();
  await page.goto('/remove-bg');
  await page.getByRole('heading', { level: 1, name: 'You’re offline.' }).waitFor();
  await page.getByText('Ready offline: Home and Convert images.').waitFor();
  expect(await listAccessibilityViolations(page)).toEqual([]);
});

test('a visitor who saves data downloads no tool by opening it', async () => {
  const { url, sent } = await serveCountedPages();
  const prepare = async (page: Page) => {
    await page.clock.install();
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    );
  };
  const { page } = await visit('/convert', { baseURL: url, serviceWorkers: 'allow', prepare });
  await page.evaluate(untilActive);
  await page.clock.fastForward(SETTLED_MS);
  await page.waitForLoadState('networkidle');
  expect(sent.filter(({ path }) => isProgram(path))).toEqual([]);
});

test('"Work offline" names its size, can be cancelled and continued, and then every tool works offline', async () => {
  const { page } = await visit('/settings', { serviceWorkers: 'allow' });
  await page.getByText('Ready offline: Home.').waitFor();
  const release = await holdPrograms(page);
  const sizeBefore = sizeIn(await workOffline(page).innerText());
  expect(sizeBefore).toBeGreaterThan(15);
  expect(sizeBefore).toBeLessThan(50);
  await workOffline(page).click();
  const progress = page.getByRole('progressbar', { name: 'Download for offline use' });
  // Sizes are shown in tenths of a megabyte.
  await expect
    .poll(() => progress.evaluate((bar: HTMLProgressElement) => bar.value / bar.max))
    .toBeGreaterThan(0.005);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await workOffline(page).waitFor();
  // What has arrived is kept.
  expect(sizeIn(await workOffline(page).innerText())).toBeLessThan(sizeBefore);

  release();
  await workOffline(page).click();
  await page.getByText('Everything works offline.').waitFor();
  await page.context().setOffline(true);
  await openPage(page, '/docs');
  await page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();
  await openPage(page, '/remove-bg');
  await chooseFiles(page, [await createBallPicture()]);
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  await openPage(page, '/convert');
  expect(getImageFormat((await convertToTiff(page))[1])).toBe('tiff');
});

test('the settings list what is stored, with sizes, and delete it', async () => {
  const { page } = await visit('/convert', { serviceWorkers: 'allow' });
  await chooseFiles(page, [await createTestPicture()]);
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  await untilConvertIsReady(page);
  await openPage(page, '/settings');
  const row = (name: string) =>
    page
      .getByRole('region', { name: 'Stored in this browser' })
      .getByRole('listitem')
      .filter({ hasText: name });
  await row('Home')
    .getByText(/kB, ready offline|MB, ready offline/)
    .waitFor();
  await row('Convert images')
    .getByText(/MB, ready offline/)
    .waitFor();
  await row('Remove backgrounds')
    .getByText(/MB to download/)
    .waitFor();
  await row('Recent results')
    .getByText(/in 1 result/)
    .waitFor();
  await row('Models').getByText('none').waitFor();

  await page.getByRole('button', { name: 'Delete Recent results' }).click();
  await row('Recent results').getByText('none').waitFor();
  await page.getByRole('button', { name: 'Delete Convert images' }).click();
  await row('Convert images')
    .getByText(/MB to download/)
    .waitFor();
  expect(await page.evaluate(isCached, '/convert')).toBe(false);
  // What the home page needs stays.
  await row('Home')
    .getByText(/ready offline/)
    .waitFor();
  await page.getByRole('button', { name: 'Delete Home' }).click();
  await page.getByText('Nothing works offline yet.').waitFor();
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
});

test("pages may come back from the browser's memory: nothing on them forbids it", async () => {
  const { page } = await visit('/');
  for (const path of ['/', '/convert', '/remove-bg', '/recent', '/settings']) {
    const response = await page.goto(path, { waitUntil: 'networkidle' });
    expect(response?.headers()['cache-control']).toBe('private, no-cache');
    expect(await leaveListeners(page)).toEqual([]);
  }
});

/** Waits until the menu says that the opened tool is cached. */
async function untilConvertIsReady(page: Page): Promise<void> {
  const menu = page.getByRole('banner').locator('summary');
  await menu.click();
  await page.getByText('Ready offline: Home and Convert images.').waitFor();
  await menu.click();
}

/** Runs in the page: reports whether a page or file is stored for offline use. */
async function isCached(path: string): Promise<boolean> {
  return (await caches.match(path, { ignoreVary: true })) !== undefined;
}

function sizeIn(label: string): number {
  return Number(/[\d.]+(?= MB)/.exec(label)?.[0]);
}

/** Lists a window's listeners that keep it out of the back-forward cache, or ask before it closes. */
async function leaveListeners(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { result } = await devtools.send('Runtime.evaluate', { expression: 'window' });
  const { listeners } = await devtools.send('DOMDebugger.getEventListeners', {
    objectId: result.objectId ?? '',
  });
  await devtools.detach();
  return listeners.map(({ type }) => type).filter((type) => ['unload', 'beforeunload'].includes(type));
}

/**
 * Holds back the programs that the page itself downloads.
 * @returns a function that lets the next ones through
 */
async function holdPrograms(page: Page): Promise<() => void> {
  let isHeld = true;
  await page.route('**/*.wasm', async (route) => {
    // A request that is held ends when the page cancels it.
    if (!isHeld) await route.continue();
  });
  return () => {
    isHeld = false;
  };
}

async function convertToTiff(page: Page): Promise<[string, Buffer]> {
  await page.getByRole('radio', { name: 'TIFF' }).check();
  await chooseFiles(page, [await createTestPicture()]);
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  const download = page.getByRole('button', { name: 'Download', exact: true });
  await download.waitFor();
  // Online again to read the result: the offline mode of playwright also blocks downloads from memory.
  await page.context().setOffline(false);
  return downloadOnClick(page, () => download.click());
}

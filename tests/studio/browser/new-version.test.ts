// @module-tag long

import { expect, test } from 'vitest';
import { serveAlteredPages } from '../support/altered-pages.ts';
import { connectBrowser } from '../support/visit.ts';

const visit = connectBrowser();

/** A worker that is installed fetches every file of the studio first. */
const WITHIN = { timeout: 60_000, interval: 500 };

/** Runs in the page. */
const cacheNames = () => caches.keys();

test('a new version takes over at the next visit, and the cache of the old one is deleted', async () => {
  let version = 'one';
  const baseURL = await serveAlteredPages(({ path, body }) =>
    path === '/service-worker.js' ? `${body}`.replace(/"id":"[^"]+"/, `"id":"${version}"`) : body,
  );
  const { page } = await visit('/', { baseURL, serviceWorkers: 'allow' });
  await page.evaluate(() => navigator.serviceWorker.ready);
  expect(await page.evaluate(cacheNames)).toEqual(['studio-one']);

  version = 'two';
  await page.reload();
  await expect.poll(() => page.evaluate(cacheNames), WITHIN).toEqual(['studio-one', 'studio-two']);
  // The open tab continues with the version it began with.
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');

  const context = page.context();
  await page.close();
  const next = await context.newPage();
  await expect
    .poll(async () => {
      // For a moment no tab of the old version is open.
      await next.goto('about:blank');
      await next.waitForTimeout(WITHIN.interval);
      await next.goto('/');
      return next.evaluate(cacheNames);
    }, WITHIN)
    .toEqual(['studio-two']);
  await context.setOffline(true);
  await next.goto('/recent');
  await next.getByRole('heading', { level: 1, name: 'Recent' }).waitFor();
});

test('a new version has the tools that the old one had offline, and fetches only the files that changed', async () => {
  let version = 'one';
  const fetched: string[] = [];
  const baseURL = await serveAlteredPages(({ path, body }) => {
    if (version === 'two') fetched.push(path);
    return path === '/service-worker.js' ? `${body}`.replace(/"id":"[^"]+"/, `"id":"${version}"`) : body;
  });
  const { page } = await visit('/convert', { baseURL, serviceWorkers: 'allow' });
  await expect.poll(() => page.evaluate(hasTool, 'studio-one'), WITHIN).toBe(true);
  version = 'two';
  await page.goto('/recent');
  await expect.poll(() => page.evaluate(hasTool, 'studio-two'), WITHIN).toBe(true);
  expect(fetched).toContain('/convert');
  expect(fetched.filter((path) => path.endsWith('.wasm'))).toEqual([]);
});

/** Runs in the page: reports whether a cache holds a tool's page, which comes after its files, and its program. */
async function hasTool(cacheName: string): Promise<boolean> {
  const urls = (await (await caches.open(cacheName)).keys()).map(({ url }) => new URL(url).pathname);
  return urls.includes('/convert') && urls.some((url) => url.includes('vips') && url.endsWith('.wasm'));
}

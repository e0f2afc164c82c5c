// @module-tag long

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../lab/support/chromium.ts';
import { type FileServer, serveFiles } from '../../lab/support/file-server.ts';
import { createApiClient, type Service, startService } from '../../lab/support/service.ts';

const OWNER = { email: 'ada@example.com', password: 'correct horse battery' };
const DASHBOARD = [
  '',
  '/top-up',
  '/usage',
  '/statements',
  '/jobs',
  '/requests',
  '/recipes',
  '/keys',
  '/webhooks',
  '/team',
  '/account',
];
const PAGES = [
  ...DASHBOARD.map((path) => `/dashboard${path}`),
  '/sign-in',
  '/sign-up',
  '/reset-password',
  '/invitation',
  '/quality',
  '/status',
  '/security',
  '/recipes',
  '/recent',
  '/settings',
  '/docs/try',
  '/docs/search?q=webhook',
];

let service: Service;
let browser: Browser;
let page: Page;
let files: FileServer;
beforeAll(async () => {
  const create = { width: 40, height: 30, channels: 3, background: '#c7321b' } as const;
  files = await serveFiles({ '/photo.png': await sharp({ create }).png().toBuffer() });
  [service, browser] = await Promise.all([startService(), launchChromium()]);
  const { api_key } = await service.account(OWNER.email, '5', OWNER.password);
  // The job and its request stand in the lists, whose details are pages, too.
  const client = createApiClient(service.url, api_key);
  const { body } = await client.convert({ image_url: `${files.url}/photo.png`, to_format: 'webp' });
  expect((await client.ended(body.request_id)).status).toBe('COMPLETED');
  page = await browser.newPage();
  await page.goto(`${service.url}/dashboard`);
  await page.getByLabel('E-mail', { exact: true }).fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([service?.stop(), files?.close()]);
});

it.each([390, 1280])('every page is whole and accessible at %d pixels', async (width) => {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.setViewportSize({ width, height: 900 });
  for (const path of PAGES) {
    await page.goto(service.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
    if (path === '/dashboard/requests') {
      // Looks at the job came later, and have no body to show.
      await page.getByRole('listitem').getByRole('link').filter({ hasText: 'POST' }).click();
      await page.getByRole('heading', { level: 2, name: 'Request', exact: true }).waitFor();
    }
    if (path === '/dashboard/jobs') {
      await page.getByRole('listitem').locator('summary').first().click();
      await page.getByRole('heading', { name: 'Params' }).waitFor();
    }
    await page.evaluate(axe);
    const faults = await page.evaluate(async () => {
      const { violations } = await (globalThis as unknown as AxeWindow).axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
    expect(faults, path).toEqual([]);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
});

it('a phone that is held upright again shows the name of the page in the row of pages', async () => {
  await page.setViewportSize({ width: 844, height: 390 });
  await page.goto(`${service.url}/dashboard/account`);
  const link = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Account' });
  await link.waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const end = async () => {
    const box = await link.boundingBox();
    return box ? box.x + box.width : Number.POSITIVE_INFINITY;
  };
  await expect.poll(end).toBeLessThanOrEqual(390);
});

it('the status names operations by their titles', async () => {
  await page.goto(`${service.url}/status`);
  await page.getByRole('cell', { name: 'Convert images' }).waitFor();
});

it('a low balance is told on every page but the one that mends it', async () => {
  const { email, password } = { email: 'bob@example.com', password: OWNER.password };
  await service.account(email, '0.5', password);
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(`${service.url}/dashboard/keys`);
  await other.getByLabel('E-mail', { exact: true }).fill(email);
  await other.getByLabel('Password', { exact: true }).fill(password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  const low = other.getByText('Only $0.50 is available: jobs that cost more are refused.');
  await low.waitFor();
  await low.getByRole('link', { name: 'Top up' }).click();
  await other.getByRole('heading', { level: 1, name: 'Top up' }).waitFor();
  expect(await low.count()).toBe(0);
  await context.close();
});

it('a page under an IP address, for which there are no passkeys, offers none', async () => {
  await page.goto(`${service.url}/dashboard/account`);
  await page.getByText(/^None can be added in this browser/).waitFor();
  expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`${service.url}/sign-in`, { waitUntil: 'networkidle' });
  await visitor.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  expect(await visitor.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
  await visitor.context().close();
});

interface AxeWindow {
  readonly axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

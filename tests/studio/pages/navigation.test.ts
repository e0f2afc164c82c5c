import type { Page } from 'playwright';
import { describe, expect, inject, test } from 'vitest';
import { ICON_PAGES, NAMED_PAGES } from '../../../app/shell/site-pages.ts';
import { TOOL_LIST } from '../../../app/studio/tools/tools.ts';
import { connectChromium } from '../../support/browser/shared-chromium.ts';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { tabTo } from '../support/keyboard.ts';
import { interceptSignIn } from '../support/sign-in.ts';
import { storeRunTimes } from '../support/stored-run-times.ts';
import { connectBrowser, openPage, type VisitOptions } from '../support/visit.ts';

const visit = connectBrowser();

const PHONE = { viewport: { width: 390, height: 844 } } as const;

const getMenu = (page: Page) => page.locator('header details');
const getSummary = (page: Page) => page.locator('header summary');

describe('the header', () => {
  const signedIn = visit.share(() => visit('/', withWallet('1234.56')));

  test.each([801, 1024, 1280])(
    'is one line at %i px, and shows every way',
    { tags: ['long'] },
    async (width) => {
      const { page } = await signedIn();
      await page.setViewportSize({ width, height: 768 });
      await page.getByRole('link', { name: 'Wallet $1234.56' }).waitFor();
      const parts = page
        .locator('header')
        .locator('summary, a:not([href="#main"]), button')
        .filter({ visible: true });
      const boxes = await parts.evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect().toJSON()),
      );
      // The name, Tools, four pages, the wallet, settings and theme.
      expect(boxes).toHaveLength(9);
      for (const [at, { x, y, right, bottom }] of boxes.entries()) {
        expect(x).toBeGreaterThanOrEqual(boxes[at - 1]?.right ?? 0);
        expect(right).toBeLessThanOrEqual(width);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(bottom).toBeLessThanOrEqual(57);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    },
  );

  test.each([360, 390])('fits %i px with and without the menu', { tags: ['long'] }, async (width) => {
    const { page } = await signedIn();
    await page.setViewportSize({ width, height: 740 });
    await page.getByRole('link', { name: 'Wallet $1234.56' }).waitFor();
    const scrollWidth = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await scrollWidth()).toBe(width);
    await getSummary(page).click();
    expect(await scrollWidth()).toBe(width);
    const { right } = await getSummary(page).evaluate((each) => each.getBoundingClientRect().toJSON());
    expect(right).toBeLessThanOrEqual(width);
    await page.keyboard.press('Escape');
    await expect.poll(() => isOpen(page)).toBe(false);
  });

  test('shows the balance of who is signed in, and leads anybody else to the sign-in', async () => {
    const { page } = await visit('/recent', withWallet('18.42'));
    const wallet = page.getByRole('link', { name: 'Wallet $18.42' });
    await wallet.waitFor();
    expect(await wallet.getAttribute('href')).toBe('/dashboard');
    const { page: other, requests } = await visit('/recent');
    await other.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    expect(requests.filter(({ url }) => url.includes('/api/session'))).toEqual([]);
  });

  test('offers no sign-in before it knows that the visitor is signed out, and shows that of another tab', {
    tags: ['long'],
  }, async () => {
    const { page } = await visit('/recent');
    const html = await (await page.request.get('/recent')).text();
    expect(html).toMatch(/<a[^>]*data-settled="false"[^>]*>Sign in/);
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    await page.context().addCookies([{ name: 'darkroom-signed-in', value: '1', url: page.url() }]);
    await page.getByRole('link', { name: 'Wallet', exact: true }).waitFor();
  });

  test('forgets the API key that an earlier version kept in the browser', { tags: ['long'] }, async () => {
    const { page } = await visit('/recent', {
      prepare: (page) => page.addInitScript(() => localStorage.setItem('darkroom-api-key', 'mk_former')),
    });
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('darkroom-api-key'))).toBeNull();
  });

  test('works while the balance does not come', { tags: ['long'] }, async () => {
    const { page } = await visit('/recent', {
      prepare: async (page) => {
        await interceptSignIn(page, '1.00');
        await page.route('**/api/session', (route) => route.abort());
      },
    });
    await page.getByRole('link', { name: 'Wallet', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });
});

describe('the menu of tools', () => {
  test('opens by keyboard, moves by arrow keys and Tab, and closes on Escape with the focus back', async () => {
    const { page } = await visit('/recent');
    // One summary for all widths: each shows one of its words.
    await tabTo(page, 'Tools');
    await page.keyboard.press('Enter');
    await expect.poll(() => isOpen(page)).toBe(true);
    await page.keyboard.press('ArrowDown');
    expect(await focusedText(page)).toContain('Convert images');
    await page.keyboard.press('ArrowRight');
    expect(await focusedText(page)).toContain('Who spoke');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await focusedText(page)).toContain('Who spoke');
    await page.keyboard.press('Escape');
    await expect.poll(() => isOpen(page)).toBe(false);
    expect(await getSummary(page).evaluate((each) => each === document.activeElement)).toBe(true);
  });

  test('closes when the focus leaves it, on a press elsewhere, and once a tool is chosen', {
    tags: ['long'],
  }, async () => {
    const { page } = await visit('/recent');
    await getSummary(page).click();
    await page.getByRole('link', { name: 'Docs' }).first().focus();
    await expect.poll(() => isOpen(page)).toBe(false);
    await getSummary(page).click();
    await page.mouse.click(700, 700);
    await expect.poll(() => isOpen(page)).toBe(false);
    await getSummary(page).click();
    await getMenu(page).getByRole('link', { name: 'Convert images' }).click();
    await page.getByRole('heading', { level: 1, name: 'Convert images' }).waitFor();
    await expect.poll(() => isOpen(page)).toBe(false);
  });

  test('opens without scripts', { tags: ['long'] }, async () => {
    const browser = await connectChromium();
    const page = await browser.newPage({ baseURL: inject('studioUrl'), javaScriptEnabled: false });
    await page.goto('/');
    await getSummary(page).click();
    await getMenu(page).getByRole('link', { name: 'Convert images' }).click();
    await page.getByRole('heading', { level: 1, name: 'Convert images' }).waitFor();
    await browser.close();
  });

  test('marks the current page', { tags: ['long'] }, async () => {
    const { page } = await visit('/remove-bg');
    const current = page.locator('header [aria-current]').filter({ visible: true });
    expect(await current.allInnerTexts()).toEqual([expect.stringContaining('Tools')]);
    await getSummary(page).click();
    const links = getMenu(page).getByRole('link').and(page.locator('[aria-current="page"]'));
    expect(await links.allInnerTexts()).toEqual([expect.stringContaining('Remove backgrounds')]);
    await page.goto('/docs');
    expect(await current.allInnerTexts()).toEqual(['Docs']);
  });

  test('shows the usual time of a tool after some runs', { tags: ['long'] }, async () => {
    const { page } = await visit('/recent', {
      prepare: (page) => storeRunTimes(page, 'media-convert-image'),
    });
    await getSummary(page).click();
    await getMenu(page).getByRole('link', { name: 'Convert images' }).getByText('here 0.5 s').waitFor();
    expect(await getMenu(page).getByText(/^here/).count()).toBe(1);
  });

  test('fills a phone, and reaches every page', { tags: ['long'] }, async () => {
    const { page } = await visit('/', PHONE);
    await getSummary(page).click();
    const links = getMenu(page).getByRole('link').filter({ visible: true });
    const targets = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    const paths = [
      ...TOOL_LIST.map(({ slug }) => `/${slug}`),
      ...[...NAMED_PAGES, ...ICON_PAGES].map(({ href }) => href),
    ];
    expect(new Set(targets)).toEqual(new Set(paths));
    const sheet = getMenu(page).locator('> div');
    expect(await sheet.boundingBox()).toMatchObject({ x: 0, y: 0, ...PHONE.viewport });
    await getMenu(page).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  test.each([
    ['a phone', PHONE],
    ['a desktop', {}],
  ])('passes axe while it is open on %s', { tags: ['long'] }, async (_, options) => {
    const { page } = await visit('/convert', options);
    await getSummary(page).click();
    expect(await listAccessibilityViolations(page)).toEqual([]);
  });
});

const reader = visit.share(() => visit('/'));

test.each([
  ...TOOL_LIST.map(({ slug, name }) => [`/${slug}`, name] as const),
  ...[...NAMED_PAGES, ...ICON_PAGES]
    .filter(({ href }) => !href.includes('#'))
    .map(({ href, name }) => [href, name] as const),
])('%s has one name in its title, its heading and every link', { tags: ['long'] }, async (path, name) => {
  const { page } = await reader();
  await openPage(page, path);
  expect(await page.title()).toBe(`${name} · Darkroom`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(name);
});

/** Has the visitor signed in before the page opens, with an amount in the wallet. */
function withWallet(availableUsd: string): VisitOptions {
  return { prepare: (page) => interceptSignIn(page, availableUsd) };
}

const isOpen = (page: Page) => getMenu(page).evaluate((each) => (each as HTMLDetailsElement).open);

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

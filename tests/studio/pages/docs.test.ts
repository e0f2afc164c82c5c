import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, inject, test } from 'vitest';
import { getEndpoints } from '../../../app/docs/endpoints.ts';
import { GUIDES } from '../../../app/docs/guides.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { connectBrowser, openPage } from '../support/visit.ts';

const visit = connectBrowser();

const PHONE = { viewport: { width: 390, height: 844 } };
const EXAMPLES = join(import.meta.dirname, '../../../clients/examples');

const getTabs = (page: Page, label: string) => page.getByRole('tablist', { name: label });
const getGuides = (page: Page) => page.getByRole('navigation', { name: 'Guides' });

describe('an example', () => {
  test('shows one language, and arrow keys choose another for all examples', { tags: ['long'] }, async () => {
    const { page } = await visit('/docs/jobs');
    const tabs = getTabs(page, 'Send a request');
    const shown = page.getByRole('tabpanel').filter({ visible: true });
    const count = await page.getByRole('tablist').count();
    expect(await shown.count()).toBe(count);
    await tabs.getByRole('tab', { name: 'curl', selected: true }).focus();
    await page.keyboard.press('ArrowRight');
    await tabs.getByRole('tab', { name: 'TypeScript', selected: true }).waitFor();
    await page.keyboard.press('End');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Python');
    expect(await page.getByRole('tab', { name: 'Python', selected: true }).count()).toBe(count);
    await page.keyboard.press('ArrowRight');
    await tabs.getByRole('tab', { name: 'curl', selected: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy');
    await page.keyboard.press('Tab');
    expect(await shown.first().evaluate((panel) => panel === document.activeElement)).toBe(true);
  });

  test('keeps the chosen language on other pages and in the first HTML of a reload', async () => {
    const { page } = await visit('/docs/quickstart');
    await page.getByRole('tab', { name: 'Python' }).click();
    await getGuides(page).getByText('Requests', { exact: true }).click();
    await getGuides(page).getByRole('link', { name: 'Jobs and polling' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs and polling' }).waitFor();
    await getTabs(page, 'Poll a job').getByRole('tab', { name: 'Python', selected: true }).waitFor();
    const html = (await (await page.request.get('/docs/webhooks')).text()).replaceAll('<!-- -->', '');
    expect(html).toMatch(/aria-selected="true"[^>]*>Python/);
    expect(html).not.toMatch(/aria-selected="true"[^>]*>curl/);
  });

  test('is the file that the tests run, and Copy takes it whole', { tags: ['long'] }, async () => {
    const { page } = await visit('/docs/jobs', { permissions: ['clipboard-read', 'clipboard-write'] });
    const send = page.getByRole('region', { name: 'Send a request' });
    for (const [name, extension] of [
      ['curl', 'sh'],
      ['TypeScript', 'ts'],
      ['Python', 'py'],
    ] as const) {
      await send.getByRole('tab', { name }).click();
      const source = (await readFile(join(EXAMPLES, extension, `send.${extension}`), 'utf8')).trimEnd();
      await expect.poll(() => send.getByRole('tabpanel').innerText()).toBe(source);
      await send.getByRole('button', { name: 'Copy' }).click();
      await send.getByText('Copied').waitFor();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(source);
    }
  });
});

describe('the list of guides', () => {
  test('stands next to the text and marks the current page, like the header', {
    tags: ['long'],
  }, async () => {
    const { page } = await visit('/docs/errors', { viewport: { width: 1024, height: 768 } });
    expect(await getGuides(page).getByRole('button').isVisible()).toBe(false);
    const current = getGuides(page).getByRole('link').and(page.locator('[aria-current=page]'));
    expect(await current.innerText()).toBe('Errors');
    const way = page.locator('header nav [aria-current=true]').filter({ visible: true });
    expect(await way.innerText()).toBe('Docs');
    const [list, heading] = await Promise.all([
      getGuides(page).boundingBox(),
      page.getByRole('heading', { level: 1 }).boundingBox(),
    ]);
    expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThan(heading?.x ?? 0);
  });

  test('opens by a button on a phone, leads to a guide and closes', { tags: ['long'] }, async () => {
    const { page } = await visit('/docs/errors', PHONE);
    const button = getGuides(page).getByRole('button', { name: 'All guides' });
    const link = getGuides(page).getByRole('link', { name: 'Idempotency' });
    expect(await link.isVisible()).toBe(false);
    await button.press('Enter');
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    expect(await listAccessibilityViolations(page)).toEqual([]);
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Idempotency' }).waitFor();
    await expect.poll(() => link.isVisible()).toBe(false);
    expect(await button.getAttribute('aria-expanded')).toBe('false');
  });

  test('is in reading order: each page leads to the next one', { tags: ['long'] }, async () => {
    const { page } = await visit('/docs');
    for (const { name } of GUIDES.slice(1)) {
      await page.getByText('Next: ').getByRole('link').click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      expect(await page.title()).toBe(`${name} · Darkroom`);
    }
    expect(await page.getByText('Next: ').count()).toBe(0);
  });
});

test.each(GUIDES)(
  '$href has headings in order, and one of the first level',
  { tags: ['long'] },
  async ({ href, name }) => {
    const html = await (await fetch(`${inject('studioUrl')}${href}`)).text();
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    expect(main).toMatch(new RegExp(`<h1[^>]*>${name}</h1>`));
    const levels = [...main.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries()) {
      expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1);
    }
  },
);

test('the home page leads to the quickstart', { tags: ['long'] }, async () => {
  const { page } = await visit('/');
  await page
    .getByRole('region', { name: 'API', exact: true })
    .getByRole('link', { name: 'quickstart' })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor();
});

/** Title of an endpoint: its method and path. */
const getTitle = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${path}`;

describe('the reference', () => {
  test('describes each operation with a request and its fields', { tags: ['long'] }, async () => {
    const { page } = await visit('/docs/reference');
    const endpoints = getEndpoints(OPERATIONS, { gplEncoders: true });
    for (const endpoint of endpoints.filter(({ operation, path }) => operation?.path === path)) {
      const part = page.getByRole('region', { name: getTitle(endpoint), exact: true });
      await part.getByText('curl ').waitFor();
      await part
        .getByText(/^(image|audio)_url$/)
        .first()
        .waitFor();
    }
  });

  test('has every path of the OpenAPI document, reached by its link', { tags: ['long'] }, async () => {
    const { page } = await visit('/docs/reference');
    const contents = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
    const endpoints = getEndpoints(OPERATIONS, { gplEncoders: true });
    expect(await contents.allInnerTexts()).toEqual(endpoints.map(getTitle));
    const cancel = 'DELETE /v2/requests/{request_id}';
    await page.getByRole('link', { name: cancel, exact: true }).click();
    const part = page.getByRole('region', { name: cancel, exact: true });
    await part.getByText('Cancel a request', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#cancelRequest');
    await part.getByText('Statuses').click();
    await part.getByText('The request has already ended.').waitFor();
  });
});

test('what unfolds has the chevron of the menus, not that of the browser', async () => {
  const { page } = await visit('/docs/reference');
  const marks = await page
    .locator('main summary, nav[aria-label=Guides] summary')
    .evaluateAll((all) => [
      ...new Set(
        all.map((one) => `${getComputedStyle(one).listStyleType} ${getComputedStyle(one, '::after').rotate}`),
      ),
    ]);
  expect(marks.toSorted()).toEqual(['none 225deg', 'none 45deg']);
});

test('a finger has room for each guide in a list and for all that unfolds', async () => {
  const { page } = await visit('/docs', { ...PHONE, isMobile: true, hasTouch: true });
  const heights = (what: string) =>
    page
      .locator(what)
      .filter({ visible: true })
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.min(...(await heights('main li > a')))).toBeGreaterThanOrEqual(44);
  await openPage(page, '/docs/reference');
  expect(Math.min(...(await heights('main summary')))).toBeGreaterThanOrEqual(44);
});

test('the list of errors has each status with its codes', async () => {
  const { page } = await visit('/docs/errors');
  await page.getByText('Insufficient Balance').waitFor();
  await page.getByText('insufficient_balance', { exact: true }).waitFor();
  await openPage(page, '/docs/limits');
  await page.getByText('$0.12 per extended image', { exact: true }).waitFor();
});

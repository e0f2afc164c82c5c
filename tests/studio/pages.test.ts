import { expect, inject, test } from 'vitest';
import { STUDIO_PATHS } from '../../app/(studio)/tools.ts';
import { faultsOf } from './support/faults.ts';
import { testPicture } from './support/pictures.ts';
import { chooseFiles, expectQuietAndPrivate, inBrowser } from './support/visit.ts';

const visit = inBrowser();

const THEMES = ['dark', 'light'] as const;
const ALL_PAGES = STUDIO_PATHS.flatMap((path) => THEMES.map((theme) => [path, theme] as const));

test.each(ALL_PAGES)(
  '%s in the %s theme has no fault that axe finds, and says nothing in the console',
  async (path, colorScheme) => {
    const visited = await visit(path, { colorScheme });
    expect(await faultsOf(visited.page)).toEqual([]);
    expectQuietAndPrivate(visited);
  },
);

test.each(THEMES)(
  'the convert page with a result has no fault that axe finds in the %s theme',
  async (colorScheme) => {
    const { page } = await visit('/convert', { colorScheme });
    await chooseFiles(page, [await testPicture()]);
    await page.getByRole('button', { name: 'Convert 1 picture' }).click();
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  },
);

test.each(STUDIO_PATHS)('%s fits a window of 360 px without scrolling sideways', async (path) => {
  const { page } = await visit(path, { viewport: { width: 360, height: 740 } });
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(widths[0]).toBe(widths[1]);
});

test.each(STUDIO_PATHS)('%s is isolated, and its policy lets it talk to nobody else', async (path) => {
  const response = await fetch(`${inject('studioUrl')}${path}`);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self' blob:;");
  expect(policy).not.toContain('unsafe');
  const { page } = await visit(path);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});

test.each(STUDIO_PATHS)(
  '%s loads at most 250 kB of compressed script before a file is chosen',
  async (path) => {
    const { page } = await visit('/no-such-page');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    const scripts = new Set<string>();
    let bytes = 0;
    devtools.on(
      'Network.responseReceived',
      ({ type, requestId }) => type === 'Script' && scripts.add(requestId),
    );
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(250_000);
  },
);

test('an address without a page answers 404 and shows the way back', async () => {
  const response = await fetch(`${inject('studioUrl')}/no-such-page`);
  expect(response.status).toBe(404);
  const { page } = await visit('/no-such-page');
  await page.getByRole('link', { name: 'To the start' }).click();
  await page.getByRole('heading', { level: 1, name: /Drop your photos/ }).waitFor();
});

test('the theme switch turns the page, and a reload keeps it', async () => {
  const { page } = await visit('/', { colorScheme: 'dark' });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(await ground()).toBe('rgb(15, 13, 12)');
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  expect(await ground()).toBe('rgb(246, 241, 231)');
  await page.reload();
  expect(await ground()).toBe('rgb(246, 241, 231)');
});

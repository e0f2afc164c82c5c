import type { Page } from 'playwright';
import { describe, expect, inject, test } from 'vitest';
import { GUIDES } from '../../../app/docs/guides.ts';
import { STUDIO_PATHS } from '../../../app/studio/tools/tools.ts';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { createTestPicture } from '../support/pictures.ts';
import { chooseFiles, connectBrowser, expectNoLogsOrUploads } from '../support/visit.ts';

const visit = connectBrowser();

const THEMES = ['dark', 'light'] as const;

function testPage(path: string): void {
  let scriptBytes: () => number;
  const opened = visit.share(() =>
    visit(path, {
      prepare: async (page) => {
        scriptBytes = await countScriptBytes(page);
      },
    }),
  );

  test('loads at most 230 kB of compressed script before a file is chosen', async () => {
    await opened();
    expect(scriptBytes()).toBeGreaterThan(50_000);
    expect(scriptBytes()).toBeLessThan(230_000);
  });

  test.each(THEMES)(
    'passes axe in the %s theme, and logs nothing to the console',
    { tags: ['long'] },
    async (colorScheme) => {
      const visited = await opened();
      await visited.page.emulateMedia({ colorScheme });
      expect(await listAccessibilityViolations(visited.page)).toEqual([]);
      expectNoLogsOrUploads(visited);
    },
  );

  test('is isolated', async () => {
    const { page } = await opened();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  });

  test('fits a window of 360 px without scrolling sideways', { tags: ['long'] }, async () => {
    const { page } = await opened();
    await page.setViewportSize({ width: 360, height: 740 });
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(widths).toEqual([360, 360]);
  });
}

test.each(STUDIO_PATHS)('the server renders %s', async (path) => {
  expect((await fetch(inject('studioUrl') + path)).status).toBe(200);
});

/** Pages that `npm test` opens: the home page and two tools. The other ones are built alike. */
const SAMPLE: readonly string[] = ['/', '/convert', '/stems'];
const [sample = [], others = []] = [true, false].map((isIn) =>
  STUDIO_PATHS.filter((path) => SAMPLE.includes(path) === isIn),
);
describe.each(sample)('%s', testPage);
describe.each(others)('%s', { tags: ['long'] }, testPage);
describe.each(GUIDES)('$href', { tags: ['long'] }, ({ href }) => testPage(href));

test.each([...STUDIO_PATHS, ...GUIDES.map(({ href }) => href)])(
  '%s has a policy that allows requests to its own origin only',
  async (path) => {
    const { headers } = await fetch(`${inject('studioUrl')}${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self' blob:;");
    expect(policy).not.toContain('unsafe');
  },
);

/**
 * Counts the bytes of scripts that a page loads from now on, as they are sent.
 * @returns how many so far
 */
async function countScriptBytes(page: Page): Promise<() => number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const scripts = new Set<string>();
  let bytes = 0;
  devtools.on(
    'Network.responseReceived',
    ({ type, requestId }) => type === 'Script' && scripts.add(requestId),
  );
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}

describe('the convert page with a result', () => {
  const converted = visit.share(async () => {
    const visited = await visit('/convert');
    await chooseFiles(visited.page, [await createTestPicture()]);
    await visited.page.getByRole('button', { name: 'Convert 1 image' }).click();
    await visited.page.getByRole('button', { name: 'Download', exact: true }).waitFor();
    return visited;
  });

  test.each(THEMES)('passes axe in the %s theme', { tags: ['long'] }, async (colorScheme) => {
    const { page } = await converted();
    await page.emulateMedia({ colorScheme });
    expect(await listAccessibilityViolations(page)).toEqual([]);
  });
});

test('an unknown page returns 404 and links to the home page', async () => {
  const response = await fetch(`${inject('studioUrl')}/no-such-page`);
  expect(response.status).toBe(404);
  const { page } = await visit('/no-such-page');
  await page.getByRole('link', { name: 'Home page' }).click();
  await page.getByRole('heading', { level: 1, name: /Drop anything/ }).waitFor();
});

test('the theme switch changes the page, and a reload keeps the theme', async () => {
  const { page } = await visit('/', { colorScheme: 'dark' });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(await ground()).toBe('rgb(15, 13, 12)');
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  expect(await ground()).toBe('rgb(246, 241, 231)');
  await page.reload();
  expect(await ground()).toBe('rgb(246, 241, 231)');
});

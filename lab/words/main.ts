// Counts the words of every page and of each tool's states, as a visitor reads them (`innerText`), from the built product.
//   npx tsx lab/words/main.ts [--only PATTERN] [--axe] [--screenshots FOLDER]
// `--axe` adds the broken rules of accessibility, and `--screenshots` writes each state at four widths in both themes.
// Prints one line a state: name, words, findings.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright';
import { launchChromium } from '../support/chromium.ts';
import { createApiClient, type Service, startService } from '../support/service.ts';
import { PAGE_STATES, type PageState } from './page-states.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    axe: { type: 'boolean', default: false },
    screenshots: { type: 'string' },
  },
});

const EMAIL = 'words@example.com';
const PASSWORD = 'correct horse battery';

/** Time for any step, on machines that do other work besides. */
const PATIENCE_MS = 180_000;

/** Windows of a phone, a tablet held upright and two laptops, in pixels. */
const WINDOWS = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
] as const;

const THEMES = ['light', 'dark'] as const;

/** Lists broken rules with their places, once axe is loaded. */
const LIST_BROKEN = `axe.run().then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`;

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const states = PAGE_STATES.filter(({ name }) => new RegExp(options.only).test(name));
const service = await startService({
  MODELS_OFFLINE: '1',
  OWNER_EMAILS: EMAIL,
  OPERATOR_TERMS_URL: 'https://example.com/terms',
  OPERATOR_PRIVACY_URL: 'https://example.com/privacy',
  OPERATOR_CONTACT: 'help@example.com',
});
const browser = await launchChromium();
try {
  const cookies = await fillAccount(service);
  let sum = 0;
  for (const state of states) sum += await visit(browser, service, state, cookies);
  console.log(`sum\t${sum}`);
} finally {
  await browser.close();
  await service.stop();
}

/** Opens an account with some jobs, and returns the cookies of its owner. */
async function fillAccount({ url, account }: Service) {
  const { api_key: key } = await account(EMAIL, '20', PASSWORD);
  const api = createApiClient(url, key);
  for (const to_format of ['avif', 'png', 'webp']) {
    const { body } = await api.convert({ image_url: `${url}/samples/kitten.jpg`, to_format });
    await api.ended(body.request_id);
  }
  const context = await browser.newContext();
  const response = await context.request.post(`${url}/api/auth/sign-in/email`, {
    data: { email: EMAIL, password: PASSWORD },
    headers: { origin: url },
  });
  if (!response.ok()) throw new Error(`the sign-in got ${response.status()}`);
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

/** Prints the words of a state, with what else was asked for, and returns their number. */
async function visit(
  browser: Browser,
  { url }: Service,
  { name, path, reach, needsAccount }: PageState,
  cookies: Awaited<ReturnType<typeof fillAccount>>,
): Promise<number> {
  const context = await browser.newContext({ viewport: WINDOWS[3], reducedMotion: 'reduce' });
  try {
    if (needsAccount) await context.addCookies(cookies);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(url + path, { waitUntil: 'load' });
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {});
    await reach?.(page);
    const words = await countWords(page);
    const findings = options.axe ? await listFindings(page) : [];
    if (options.screenshots !== undefined)
      await takeScreenshots(page, join(options.screenshots, fileName(name)));
    console.log([name, words, ...findings].join('\t'));
    return words;
  } catch (error) {
    console.log(`${name}\tfailed: ${(error as Error).message.split('\n')[0]}`);
    return 0;
  } finally {
    await context.close();
  }
}

async function countWords(page: Page): Promise<number> {
  const text = await page.evaluate<string>('document.body.innerText');
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

async function listFindings(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(AXE);
    const broken = await page.evaluate<string[]>(LIST_BROKEN);
    found.push(...broken.map((each) => `${colorScheme} ${each}`));
  }
  return found;
}

async function takeScreenshots(page: Page, path: string): Promise<void> {
  for (const window of WINDOWS) {
    await page.setViewportSize(window);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(400);
      await page.screenshot({ path: `${path}-${window.width}-${colorScheme}.png` });
    }
  }
}

function fileName(name: string): string {
  return name.replace(/^\//, '').replaceAll(/[^a-z0-9]+/g, '-') || 'home';
}

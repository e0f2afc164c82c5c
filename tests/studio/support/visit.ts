import type { Browser, BrowserContextOptions, Download, Page } from 'playwright';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { launchChromium } from '../../support/chromium.ts';

export interface Visit {
  readonly page: Page;
  /** Console errors and warnings, page errors and refused requests, in the order they came. */
  readonly complaints: readonly string[];
  /** Every request the visit made. */
  readonly requests: readonly { method: string; url: string; hasBody: boolean }[];
}

/** What the tests' own browser says: that it takes no service worker here, and that it has no graphics card. */
const OWN_WORDS = ['Service Worker registration blocked by Playwright', 'No available adapters.'];

/** One browser for a test file; each visit is a visitor of its own, with nothing kept from others. */
export function inBrowser(): (path: string, options?: BrowserContextOptions) => Promise<Visit> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  return async (path, options = {}) => {
    const context = await browser.newContext({
      baseURL: inject('studioUrl'),
      viewport: { width: 1440, height: 900 },
      serviceWorkers: 'block',
      ...options,
    });
    const complaints: string[] = [];
    const requests: { method: string; url: string; hasBody: boolean }[] = [];
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    page.on('console', (message) => {
      const isComplaint = ['error', 'warning'].includes(message.type());
      if (isComplaint && !OWN_WORDS.includes(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    context.on('request', (request) => {
      requests.push({ method: request.method(), url: request.url(), hasBody: request.postData() !== null });
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.waitForFunction(isTakenOver);
    return { page, complaints, requests };
  };
}

/** Runs in the page: whether React has taken over every button. It marks what it has by a property of its own. */
function isTakenOver(): boolean {
  const buttons = [...document.querySelectorAll('button')];
  return buttons.every((button) => Object.keys(button).some((name) => name.startsWith('__reactProps')));
}

/** Puts files into the picker that a page has. */
export async function chooseFiles(page: Page, files: readonly TestFile[]): Promise<void> {
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([...files]);
}

/** On the convert page: one file to a format, and what comes of it. */
export async function convertTo(page: Page, label: string, file: TestFile): Promise<[string, Buffer]> {
  await chooseFiles(page, [file]);
  await page.getByRole('radio', { name: label, exact: true }).check();
  await page.getByRole('button', { name: 'Convert 1 picture' }).click();
  return downloadBy(page, () => page.getByRole('button', { name: 'Download', exact: true }).click());
}

export interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Waits for what a click downloads. */
export async function downloadBy(
  page: Page,
  click: () => Promise<void>,
): Promise<[name: string, bytes: Buffer]> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return [download.suggestedFilename(), await bytesOf(download)];
}

async function bytesOf(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Nothing was said in the console, and nothing left the device. */
export function expectQuietAndPrivate({ complaints, requests }: Visit): void {
  expect(complaints).toEqual([]);
  expect(requests.filter(({ hasBody, method }) => hasBody || method !== 'GET')).toEqual([]);
  const origin = inject('studioUrl');
  const elsewhere = requests.filter(({ url }) => !url.startsWith(`${origin}/`) && !url.startsWith('blob:'));
  expect(elsewhere).toEqual([]);
}

/** Tries to close the tab: the browser must ask first, and is answered no. */
export async function expectToAskBeforeClosing(page: Page): Promise<void> {
  const [dialog] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
}

import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Download, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, inject, onTestFailed } from 'vitest';
import { connectChromium } from '../../support/browser/shared-chromium.ts';
import { untilQuiet } from './until-quiet.ts';

export interface Visit {
  readonly page: Page;
  /** Console errors and warnings, page errors and rejected requests, in order. */
  readonly complaints: readonly string[];
  /** All requests of the visit. */
  readonly requests: readonly { method: string; url: string; hasBody: boolean }[];
}

/** Wide, for machines that do other work besides. */
const TIMEOUT_MS = 120_000;
const CLOSING_MS = 30_000;
const VIEWPORT = { width: 1440, height: 900 };
/** Messages of the test browser itself: no service worker, no GPU. */
const OWN_WORDS = ['Service Worker registration blocked by Playwright', 'No available adapters.'];

export interface VisitOptions extends BrowserContextOptions {
  /** Prepares the page before it opens. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export interface OpenVisit {
  /** Opens a page as a separate visitor without stored data. The visitor leaves when the test ends. */
  (path: string, options?: VisitOptions): Promise<Visit>;
  /**
   * Shares one visit between the tests of a `describe`, which saves the same start again for each. The first test opens
   * it. After a failed test it is opened again, so that no test begins with what another has left half done.
   */
  share(open: () => Promise<Visit>): () => Promise<Visit>;
}

/** Connects a test file to the browser. */
export function connectBrowser(): OpenVisit {
  let browser: Browser;
  const visitors = new Set<BrowserContext>();
  beforeAll(async () => {
    browser = await connectChromium();
  });
  // A page that stays open continues to play and to draw.
  afterEach(async () => {
    const left = [...visitors];
    visitors.clear();
    await closed(Promise.all(left.map((visitor) => visitor.close())));
  });
  afterAll(() => closed(browser?.close()));

  const visit = async (path: string, { prepare, ...options }: VisitOptions = {}): Promise<Visit> => {
    const context = await browser.newContext({
      baseURL: inject('studioUrl'),
      viewport: VIEWPORT,
      serviceWorkers: 'block',
      ...options,
    });
    visitors.add(context);
    const visited = await observe(context);
    await prepare?.(visited.page);
    await openPage(visited.page, path);
    return visited;
  };

  const share: OpenVisit['share'] = (open) => {
    let shared: Promise<Visit> | undefined;
    const leave = async () => {
      const left = shared;
      shared = undefined;
      await left?.then(({ page }) => page.context().close()).catch(() => {});
    };
    afterAll(leave);
    return async () => {
      onTestFailed(leave);
      shared ??= open();
      const visited = await shared;
      visitors.delete(visited.page.context());
      return visited;
    };
  };
  return Object.assign(visit, { share });
}

/** Waits for the end of a closing, but not for ever: Chromium sometimes never responds, and ends with the project. */
async function closed(closing: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([closing, setTimeout(CLOSING_MS, undefined, { ref: false })]);
}

/** Opens an empty page, and records what it says and requests from now on. */
async function observe(context: BrowserContext): Promise<Visit> {
  const complaints: string[] = [];
  const requests: { method: string; url: string; hasBody: boolean }[] = [];
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  page.on('console', (message) => {
    const isComplaint = ['error', 'warning'].includes(message.type());
    if (isComplaint && !OWN_WORDS.includes(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  context.on('request', (request) => {
    requests.push({ method: request.method(), url: request.url(), hasBody: request.postData() !== null });
  });
  return { page, complaints, requests };
}

/** Opens a page, and waits until it reacts: what is clicked or chosen before has no effect. */
export function openPage(page: Page, path: string): Promise<void> {
  return loadPage(page, () => page.goto(path));
}

/** Reloads a page, and waits until it reacts. */
export function reloadPage(page: Page): Promise<void> {
  return loadPage(page, () => page.reload());
}

function loadPage(page: Page, load: () => Promise<unknown>): Promise<void> {
  return untilQuiet(page, async () => {
    await load();
    await page.waitForFunction(isTakenOver);
  });
}

/** Runs in the page: reports whether React has hydrated every button, by the property that it sets. */
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

/**
 * Converts one file on the convert page.
 * @returns the result
 */
export async function convertFile(page: Page, label: string, file: TestFile): Promise<[string, Buffer]> {
  await page.getByRole('radio', { name: label, exact: true }).check();
  await chooseFiles(page, [file]);
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  return downloadOnClick(page, () => page.getByRole('button', { name: 'Download', exact: true }).click());
}

export interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Waits for the download of a click. */
export async function downloadOnClick(
  page: Page,
  click: () => Promise<void>,
): Promise<[name: string, bytes: Buffer]> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return [download.suggestedFilename(), await getBytes(download)];
}

async function getBytes(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Checks that nothing was logged to the console, and that nothing left the device. */
export function expectNoLogsOrUploads({ complaints, requests }: Visit): void {
  expect(complaints).toEqual([]);
  expect(requests.filter(({ hasBody, method }) => hasBody || method !== 'GET')).toEqual([]);
  const origin = inject('studioUrl');
  const elsewhere = requests.filter(({ url }) => !url.startsWith(`${origin}/`) && !url.startsWith('blob:'));
  expect(elsewhere).toEqual([]);
}

/** Tries to close the tab: the browser must ask first, and the test declines. */
export async function expectCloseWarning(page: Page): Promise<void> {
  const [dialog] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
}

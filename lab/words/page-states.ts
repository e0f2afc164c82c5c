import type { Page } from 'playwright';
import { DASHBOARD_PAGES } from '../../app/dashboard/parts/dashboard-pages.ts';
import { GUIDES } from '../../app/docs/guides.ts';
import { TOOL_LIST } from '../../app/studio/tools/tools.ts';

/** View of a page at a path, after some steps of a visitor. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  /** Steps after the page has loaded; none when absent. */
  readonly reach?: (page: Page) => Promise<void>;
  readonly needsAccount?: true;
}

const RESULT_TIMEOUT_MS = 600_000;

/** Time in which a tool begins by itself, where it does. */
const BEGINS_MS = 4_000;

const TOOL_STATES = TOOL_LIST.flatMap(({ slug }): PageState[] => [
  { name: `/${slug}, empty`, path: `/${slug}` },
  { name: `/${slug}, result`, path: `/${slug}`, reach: makeResult },
  { name: `/${slug}, error`, path: `/${slug}`, reach: chooseBrokenFile },
]);

/** States of other pages that a visitor opens by a press. */
const OPENED_STATES: readonly PageState[] = [
  { name: '/, menu', path: '/', reach: (page) => page.locator('header summary').first().click() },
  { name: '/convert, shortcuts', path: '/convert', reach: (page) => page.keyboard.press('?') },
  { name: '/recipes, steps', path: '/recipes', reach: openRecipe },
  { name: '/docs/search, found', path: '/docs/search?q=webhook' },
  { name: '/docs/try, result', path: '/docs/try', needsAccount: true, reach: tryOperation },
  { name: '/dashboard/jobs, job', path: '/dashboard/jobs', needsAccount: true, reach: openJob },
  {
    name: '/dashboard/requests, request',
    path: '/dashboard/requests',
    needsAccount: true,
    reach: openRequest,
  },
  { name: '/dashboard, signed out', path: '/dashboard' },
];

const PUBLIC_PATHS = [
  '/',
  '/recent',
  '/recipes',
  '/settings',
  '/quality',
  '/status',
  '/security',
  '/offline',
  '/sign-in',
  '/sign-up',
  '/reset-password',
  '/invitation',
  '/no-such-page',
];

/** Every page of the product, and the states of each tool. */
export const PAGE_STATES: readonly PageState[] = [
  ...PUBLIC_PATHS.map((path) => ({ name: path, path })),
  ...TOOL_STATES,
  ...OPENED_STATES,
  ...GUIDES.map(({ href }) => ({ name: href, path: href })),
  ...DASHBOARD_PAGES.map(({ href }): PageState => ({ name: href, path: href, needsAccount: true })),
];

/** Runs the tool on its sample, and waits for the result. */
async function makeResult(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'sample' }).click();
  const ended = page.locator('li[data-phase="done"]');
  const hasBegun = page.locator('li:is([data-phase="running"], [data-phase="done"])');
  const start = page.locator('aside .button-primary');
  // Where nothing begins by itself. On a busy machine it may have begun after all.
  await hasBegun
    .waitFor({ timeout: BEGINS_MS })
    .catch(() => start.click({ timeout: BEGINS_MS }))
    .catch(() => {});
  await ended.waitFor({ timeout: RESULT_TIMEOUT_MS });
  // What is prepared after the run: waveforms, comparisons.
  await page.waitForTimeout(BEGINS_MS);
}

/** Chooses files that no tool reads, with the names of those that tools take. */
async function chooseBrokenFile(page: Page): Promise<void> {
  const takesImages = (await page.locator('input[type=file]').first().getAttribute('accept'))?.includes(
    'image',
  );
  const [name, mimeType] = takesImages ? ['broken.jpg', 'image/jpeg'] : ['broken.wav', 'audio/wav'];
  // The signature is right, and nothing after it.
  const buffer = takesImages
    ? Buffer.from('ffd8ffe000104a464946', 'hex')
    : Buffer.from('RIFF\0\0\0\0WAVEfmt ');
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType, buffer });
  const run = page.locator('aside .button-primary');
  await run.click({ timeout: BEGINS_MS }).catch(() => {});
  await page.getByRole('alert').first().waitFor();
}

async function openRecipe(page: Page): Promise<void> {
  await page.locator('main details > summary').filter({ hasText: 'Add a step' }).click();
  await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: 'Upscale' }).click();
  await page.getByRole('button', { name: 'sample' }).click();
  await page.waitForTimeout(BEGINS_MS);
}

async function tryOperation(page: Page): Promise<void> {
  await page.locator('main input[type=file]').first().setInputFiles('public/samples/kitten.jpg');
  await page.getByRole('button', { name: /^Run/ }).click();
  await page.getByRole('img', { name: /^Result/ }).waitFor({ timeout: RESULT_TIMEOUT_MS });
}

async function openJob(page: Page): Promise<void> {
  await page.getByRole('listitem').locator('summary').first().click();
  await page.getByRole('heading', { name: 'Params' }).waitFor();
}

async function openRequest(page: Page): Promise<void> {
  await page.getByRole('listitem').getByRole('link').filter({ hasText: 'POST' }).first().click();
  await page.getByRole('heading', { level: 2, name: 'Request', exact: true }).waitFor();
}

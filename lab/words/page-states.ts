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

const RESULT_TIMEOUT_MS = 240_000;

/** Time in which a tool begins by itself, where it does. */
const BEGINS_MS = 4_000;

const TOOL_STATES = TOOL_LIST.flatMap(({ slug }): PageState[] => [
  { name: `/${slug}, empty`, path: `/${slug}` },
  { name: `/${slug}, result`, path: `/${slug}`, reach: makeResult },
]);

const PUBLIC_PATHS = [
  '/',
  '/recent',
  '/settings',
  '/quality',
  '/status',
  '/security',
  '/offline',
  '/sign-in',
  '/sign-up',
  '/reset-password',
  '/no-such-page',
];

/** Every page of the product, and the states of each tool. */
export const PAGE_STATES: readonly PageState[] = [
  ...PUBLIC_PATHS.map((path) => ({ name: path, path })),
  ...TOOL_STATES,
  ...GUIDES.map(({ href }) => ({ name: href, path: href })),
  { name: '/docs/console', path: '/docs/console' },
  ...DASHBOARD_PAGES.map(({ href }): PageState => ({ name: href, path: href, needsAccount: true })),
];

/** Runs the tool on its sample, and waits for the result. */
async function makeResult(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'sample' }).click();
  const ended = page.locator('li[data-phase="done"]');
  const hasBegun = page.locator('li:is([data-phase="running"], [data-phase="done"])');
  await hasBegun.waitFor({ timeout: BEGINS_MS }).catch(() => page.locator('aside .button-primary').click());
  await ended.waitFor({ timeout: RESULT_TIMEOUT_MS });
  // What is prepared after the run: waveforms, comparisons.
  await page.waitForTimeout(BEGINS_MS);
}

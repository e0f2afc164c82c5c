import { setTimeout } from 'node:timers/promises';
import type { Page, Request } from 'playwright';

/**
 * As long as a page may take between two requests that follow from each other. Playwright's `networkidle` takes five
 * times as long.
 */
const QUIET_MS = 100;

/** Runs what makes a page load, and waits until it has begun no request for a while, and all have ended. */
export async function untilQuiet(page: Page, load: () => Promise<unknown>): Promise<void> {
  const open = new Set<Request>();
  let changedMs = performance.now();
  const change = (apply: (request: Request) => void) => (request: Request) => {
    apply(request);
    changedMs = performance.now();
  };
  const begin = change((request) => open.add(request));
  const end = change((request) => open.delete(request));
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  try {
    await load();
    for (let left = QUIET_MS; left > 0; left = changedMs + QUIET_MS - performance.now()) {
      await setTimeout(left);
      if (open.size > 0) changedMs = performance.now();
    }
  } finally {
    page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
  }
}

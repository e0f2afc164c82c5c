import { expect } from 'vitest';
import { createMailLog } from '../servers/mail-log.ts';
import { startApi, type TestApi } from './api.ts';
import { TestBrowser } from './sign-in.ts';

/**
 * Creates visitors of a service, whose mails a test reads in its log.
 * @returns `start` starts the service, which the test closes; `browser` and `verified` need it
 */
export function createVisitors() {
  const { log, lines, linkFor } = createMailLog();
  let api: TestApi;
  let lastAddress = 0;
  /** Every test's browser has its own address, so that none uses up another's attempts. */
  const browser = () => new TestBrowser(api, `198.51.100.${++lastAddress}`);
  return {
    lines,
    linkFor,
    browser,
    async start(): Promise<TestApi> {
      const started = await startApi();
      api = { ...started, ctx: { ...started.ctx, log } };
      return api;
    },
    /** Returns a browser in which the owner of a verified address is signed in. */
    async verified(email: string): Promise<TestBrowser> {
      const page = browser();
      await page.signUp(email);
      await openLink(page, linkFor(email));
      expect((await page.signIn(email)).status).toBe(200);
      return page;
    },
  };
}

/** Opens the link of a mail. */
export function openLink(page: TestBrowser, { pathname, search }: URL) {
  return page.get(pathname.replace('/api/auth', '') + search);
}

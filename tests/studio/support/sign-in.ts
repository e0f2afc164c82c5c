import type { Page } from 'playwright';
import type { Service } from '../../../lab/support/service.ts';
import { parseUsd } from '../../../models/core/operation/money.ts';

export const PASSWORD = 'correct horse battery';

/** Signs a visitor in at a service whose account has the password above. */
export async function signIn(page: Page, { url }: Pick<Service, 'url'>, email: string): Promise<void> {
  const response = await page.context().request.post(`${url}/api/auth/sign-in/email`, {
    data: { email, password: PASSWORD },
    headers: { origin: url },
  });
  if (!response.ok()) throw new Error(`the sign-in got ${response.status()}`);
}

/** Makes pages believe that the visitor is signed in and can spend an amount, without a service. */
export async function interceptSignIn(page: Page, availableUsd: string): Promise<void> {
  await page.addInitScript(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the pages read it like this
    document.cookie = 'darkroom-signed-in=1; path=/';
  });
  const json = {
    visitor: { name: 'Ada', email: 'ada@example.com' },
    available_micro_usd: String(parseUsd(availableUsd)),
  };
  await page.context().route('**/api/session', (route) => route.fulfill({ json }));
}

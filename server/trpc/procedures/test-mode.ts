import { TEST_MODE_COOKIE } from '../../../models/test-mode/test-mode-cookie.ts';

/** Reports whether a request of the dashboard asks for the data of test keys. */
export function isInTestMode(headers: Pick<Headers, 'get'>): boolean {
  const cookies = headers.get('cookie')?.split(';') ?? [];
  return cookies.some((cookie) => cookie.trim() === `${TEST_MODE_COOKIE}=test`);
}

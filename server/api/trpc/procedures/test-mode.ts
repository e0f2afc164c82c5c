import { TEST_MODE_COOKIE } from '../../../../models/test-mode/test-mode-cookie.ts';
import type { Db } from '../../../base/database/db.ts';
import { openSandbox } from '../../../identity/accounts/index.ts';

type Cookies = Pick<Headers, 'get'>;

/** Reports whether a request of the dashboard asks for the data of test keys. */
export function isInTestMode(headers: Cookies): boolean {
  const cookies = headers.get('cookie')?.split(';') ?? [];
  return cookies.some((cookie) => cookie.trim() === `${TEST_MODE_COOKIE}=test`);
}

/** Returns whose jobs, keys and deliveries a request of the dashboard is about: an account's, or its test keys'. */
export async function findModeAccount(db: Db, accountId: string, headers: Cookies): Promise<string> {
  return isInTestMode(headers) ? await openSandbox(db, accountId) : accountId;
}

import { createHash } from 'node:crypto';
import { TEST_MODE_COOKIE } from '../../../models/test-mode/test-mode-cookie.ts';
import type { Db } from '../../base/database/db.ts';
import { openSandbox } from '../../identity/accounts/index.ts';
import type { Visitor } from '../../identity/auth/index.ts';
import { findRole, readTeamActivity } from '../../identity/team/index.ts';
import { readDeliveryActivity } from '../../io/webhooks/index.ts';
import { readJobActivity } from '../../jobs/index.ts';
import { readBalance } from '../../money/wallet/index.ts';

type Cookies = Pick<Headers, 'get'>;

/**
 * Returns a text that changes with the account: its money, latest jobs or deliveries, or its team. It tells nothing
 * else, since a role may not see the money. It is null once the visitor does not belong to the account any more.
 * @param accountId of the jobs and deliveries: the account itself, or its sandbox
 */
export async function readAccountState(
  db: Db,
  { accountId: ownerId, userId }: Visitor,
  accountId: string,
): Promise<string | null> {
  const [role, money, jobs, deliveries, team] = await Promise.all([
    findRole(db, ownerId, userId),
    readBalance(db, ownerId),
    readJobActivity(db, accountId),
    readDeliveryActivity(db, accountId),
    readTeamActivity(db, ownerId),
  ]);
  if (role === null) return null;
  const text = `${accountId} | ${money.balance} ${money.held} | ${jobs} | ${deliveries} | ${team}`;
  return createHash('sha256').update(text).digest('base64url');
}

/** Reports whether a request of the dashboard asks for the data of test keys. */
export function isInTestMode(headers: Cookies): boolean {
  const cookies = headers.get('cookie')?.split(';') ?? [];
  return cookies.some((cookie) => cookie.trim() === `${TEST_MODE_COOKIE}=test`);
}

/** Returns whose jobs, keys and deliveries a request of the dashboard is about: an account's, or its test keys'. */
export async function findModeAccount(db: Db, accountId: string, headers: Cookies): Promise<string> {
  return isInTestMode(headers) ? await openSandbox(db, accountId) : accountId;
}

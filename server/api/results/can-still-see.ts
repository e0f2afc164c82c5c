import type { Context } from '../../base/context/context.ts';
import { isPermitted } from '../../base/permissions.ts';
import { findSandboxOwner } from '../../identity/accounts/index.ts';
import type { Actor } from '../../identity/keys/index.ts';
import { findRole } from '../../identity/team/index.ts';
import type { JobReference } from '../../jobs/index.ts';

/** Names a job for a caller, who may see those of the account, or of some keys alone. */
export function nameJob({ accountId, visibleKeyIds }: Actor, id: string): JobReference {
  return { accountId, keyIds: visibleKeyIds, id };
}

/**
 * Reports whether the person of a session may still see the jobs of the account, as during a response that lasts. A key
 * keeps what it has begun to read.
 */
export async function canStillSee({ db }: Context, { accountId, userId, isTest }: Actor): Promise<boolean> {
  if (userId === undefined) return true;
  const findTeam = async () => (isTest && (await findSandboxOwner(db, accountId))) || accountId;
  // The database may be back in a second.
  const role = await findTeam()
    .then((team) => findRole(db, team, userId))
    .catch(() => undefined);
  return role === undefined || (role !== null && isPermitted(role, 'jobs.see'));
}

import { findModel } from '../../models/core/operation/batch.ts';
import { type Context, getOperations } from '../base/context.ts';
import { isPermitted, type Permission } from '../base/permissions.ts';
import { findSandboxOwner } from '../identity/accounts/index.ts';
import { type Actor, assertPermission } from '../identity/keys/index.ts';
import { findRole } from '../identity/team/index.ts';
import type { JobReference } from '../jobs/index.ts';

/** Names a job for a caller, who may see those of the account, or of some keys alone. */
export function nameJob({ accountId, visibleKeyIds }: Actor, id: string): JobReference {
  return { accountId, keyIds: visibleKeyIds, id };
}

/**
 * Checks that a caller may change a job that it sees. A key that has sent a composition may change it.
 * @throws OperationError `forbidden` when the key lacks the operation
 */
export function assertMayChange(
  ctx: Context,
  actor: Actor,
  { operationId }: { readonly operationId: string },
): void {
  const isComposite = findModel(getOperations(ctx), operationId)?.operation.isComposite;
  if (!isComposite) assertPermission(actor, operationId);
}

/**
 * Reports whether the person of a session still has the permission that opened a response, while it lasts. A key keeps
 * what it has begun to read.
 */
export async function isStillPermitted(
  { db }: Context,
  { accountId, userId, isTest }: Actor,
  permission: Permission,
): Promise<boolean> {
  if (userId === undefined) return true;
  const findTeam = async () => (isTest && (await findSandboxOwner(db, accountId))) || accountId;
  // The database may be back in a second.
  const role = await findTeam()
    .then((team) => findRole(db, team, userId))
    .catch(() => undefined);
  return role === undefined || (role !== null && isPermitted(role, permission));
}

import { OperationError } from '../../../models/core/operation/errors.ts';
import { TEST_MODE_HEADER } from '../../../models/test-mode/test-mode-cookie.ts';
import type { Context } from '../../base/context.ts';
import { assertPermitted, type Permission } from '../../base/permissions.ts';
import { openSandbox } from '../../identity/accounts/index.ts';
import { findVisitor, isFromOwnPage } from '../../identity/auth/index.ts';
import { type Actor, authenticateKey } from '../../identity/keys/index.ts';

export type Authentication = 'subscription-key' | 'bearer' | 'either';

/**
 * Authenticates the caller: by the header of the operation's family or that of the other one, or, for a request of our
 * own pages without a key, by the session of the signed-in user.
 * @param permission that the role of the signed-in user must have; a key has its own permissions
 * @throws OperationError `unauthorized` naming the family's header, `forbidden` naming the roles that may
 */
export async function authenticateRequest(
  ctx: Context,
  request: Request,
  authentication: Authentication,
  permission: Permission,
): Promise<Actor> {
  const apiKey = readApiKey(request, authentication);
  if (apiKey) return authenticateKey(ctx.db, apiKey);
  const actor = await authenticateSession(ctx, request, permission);
  if (actor) return actor;
  const header =
    authentication === 'bearer' ? 'Authorization: Bearer <API_KEY>' : 'Ocp-Apim-Subscription-Key';
  throw new OperationError(
    'unauthorized',
    `The header ${header} is missing or empty. Send your API key in it.`,
    { field: header.split(':')[0] },
  );
}

/**
 * Returns the account whose session a request of our own pages carries; undefined for any other request. A cookie alone
 * proves nothing: browsers also send it with what another site makes them send. With the header of the test mode it is
 * the account's sandbox, as for a test key.
 * @throws OperationError `forbidden` naming the roles that have the permission
 */
export async function authenticateSession(
  ctx: Context,
  request: Request,
  permission: Permission,
): Promise<Actor | undefined> {
  if (!isFromOwnPage(request, ctx.env)) return undefined;
  const visitor = await findVisitor(ctx, request.headers);
  if (!visitor) return undefined;
  const { userId, role, sessionId } = visitor;
  assertPermitted(role, permission);
  const isTest = request.headers.get(TEST_MODE_HEADER) === 'test';
  const accountId = isTest ? await openSandbox(ctx.db, visitor.accountId) : visitor.accountId;
  return { accountId, userId, role, isTest, keyId: null, rateId: sessionId, operations: null };
}

/** Returns the key of a request. Where its two headers differ, the one of the operation's family counts. */
export function readApiKey({ headers }: Request, authentication: Authentication): string | undefined {
  const subscriptionKey = headers.get('ocp-apim-subscription-key') || undefined;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  return authentication === 'bearer' ? (bearer ?? subscriptionKey) : (subscriptionKey ?? bearer);
}

/**
 * Lets only requests of our own pages pass.
 * @throws OperationError `forbidden`
 */
export function assertOwnPage(
  { env }: Pick<Context, 'env'>,
  request: Pick<Request, 'headers' | 'method'>,
): void {
  if (isFromOwnPage(request, env)) return;
  const { origin } = new URL(env.PUBLIC_URL);
  throw new OperationError('forbidden', `Only pages of ${origin} may use this. Open the service there.`);
}

import { OperationError } from '../../models/errors.ts';
import type { Context } from '../context.ts';
import { type Actor, authenticate } from '../keys/index.ts';

export type Authentication = 'subscription-key' | 'bearer' | 'either';

/**
 * Authenticates the caller by the header of the operation's family.
 * @throws OperationError `unauthorized` naming the header
 */
export async function actorOf(
  ctx: Context,
  request: Request,
  authentication: Authentication,
): Promise<Actor> {
  const subscriptionKey = request.headers.get('ocp-apim-subscription-key') ?? undefined;
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const apiKey = {
    'subscription-key': subscriptionKey,
    bearer,
    either: subscriptionKey ?? bearer,
  }[authentication];
  if (!apiKey) {
    const header =
      authentication === 'bearer' ? 'Authorization: Bearer <API_KEY>' : 'Ocp-Apim-Subscription-Key';
    throw new OperationError(
      'unauthorized',
      `The header ${header} is missing or empty. Send your API key in it.`,
    );
  }
  return authenticate(ctx.db, apiKey);
}

import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context/context.ts';
import { isFromOwnPage } from '../../identity/auth/index.ts';

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

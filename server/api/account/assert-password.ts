import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context/context.ts';
import { getAuth } from '../../identity/auth/index.ts';
import { countSignInAttempt } from '../limits/sign-in-rate-limit.ts';

/**
 * Checks the password of who is signed in, as one more attempt at a sign-in.
 * @throws OperationError `bad_request` when it is wrong, `too_many_requests`
 */
export async function assertPassword(
  ctx: Context,
  request: Pick<Request, 'headers'>,
  { email, password }: { email: string; password: unknown },
): Promise<void> {
  await countSignInAttempt(ctx, request, email);
  const auth = await getAuth(ctx);
  const body = { password: typeof password === 'string' ? password : '' };
  await auth.api.verifyPassword({ body, headers: request.headers }).catch(() => {
    throw new OperationError('bad_request', 'password: is wrong.');
  });
}

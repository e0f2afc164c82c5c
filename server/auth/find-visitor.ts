import type { Context } from '../context.ts';
import { getAuth } from './create-auth.ts';

/** Person who is signed in. */
export interface Visitor {
  readonly userId: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly email: string;
}

/** Returns who is signed in by a request's cookie; null when nobody is. */
export async function findVisitor(
  ctx: Pick<Context, 'env' | 'db' | 'log'>,
  headers: Headers,
): Promise<Visitor | null> {
  if (!headers.get('cookie')?.includes('session_token')) return null;
  const auth = await getAuth(ctx);
  const found = await auth.api.getSession({ headers });
  if (!found?.user.accountId) return null;
  const { user, session } = found;
  return {
    userId: user.id,
    sessionId: session.id,
    name: user.name,
    email: user.email,
    accountId: user.accountId as string,
  };
}

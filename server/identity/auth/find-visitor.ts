import type { Context } from '../../base/context/context.ts';
import type { Role } from '../../base/permissions.ts';
import { findSessionAccount } from '../team/index.ts';
import { getAuth } from './create-auth.ts';

/** Person who is signed in. */
export interface Visitor {
  readonly userId: string;
  /** Account that the session shows: the person may belong to several. */
  readonly accountId: string;
  /** The person's role in that account. */
  readonly role: Role;
  readonly sessionId: string;
  readonly name: string;
  readonly email: string;
}

/** Returns who is signed in by a request's cookie; null without a session. */
export async function findVisitor(
  ctx: Pick<Context, 'env' | 'db' | 'log'>,
  headers: Headers,
): Promise<Visitor | null> {
  if (!headers.get('cookie')?.includes('session_token')) return null;
  const auth = await getAuth(ctx);
  const found = await auth.api.getSession({ headers });
  if (!found) return null;
  const { user, session } = found;
  const shown = await findSessionAccount(ctx.db, session.id);
  if (!shown) return null;
  return { userId: user.id, sessionId: session.id, name: user.name, email: user.email, ...shown };
}

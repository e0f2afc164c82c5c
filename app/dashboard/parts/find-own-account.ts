import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { findVisitor, type Visitor } from '../../../server/auth/index.ts';
import type { Context } from '../../../server/context.ts';
import { getWebContext } from '../../../server/http/web-context.ts';

/** Returns who is signed in. Anybody else is led to the sign-in. */
export async function findOwnAccount(): Promise<{ ctx: Context; visitor: Visitor }> {
  const ctx = await getWebContext();
  const visitor = await findVisitor(ctx, await headers());
  if (!visitor) redirect('/sign-in');
  return { ctx, visitor };
}

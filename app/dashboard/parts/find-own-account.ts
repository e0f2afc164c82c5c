import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { findVisitor, type Visitor } from '../../../server/auth/index.ts';
import type { Context } from '../../../server/context.ts';
import { getWebContext } from '../../../server/http/web-context.ts';
import { nextPage, PAGE_PATH, pathWithNext } from '../../account/next-page.ts';

/** Returns who is signed in, looked up once for each request. Anybody else is led to the sign-in, and back. */
export const findOwnAccount = cache(async (): Promise<{ ctx: Context; visitor: Visitor }> => {
  const ctx = await getWebContext();
  const given = await headers();
  const visitor = await findVisitor(ctx, given);
  if (!visitor) redirect(pathWithNext('/sign-in', nextPage(given.get(PAGE_PATH))));
  return { ctx, visitor };
});

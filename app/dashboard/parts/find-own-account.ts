import { headers } from 'next/headers';
import { forbidden, redirect } from 'next/navigation';
import { cache } from 'react';
import type { Context } from '../../../server/base/context.ts';
import { isPermitted } from '../../../server/base/permissions.ts';
import { findVisitor, type Visitor } from '../../../server/identity/auth/index.ts';
import { getWebContext } from '../../../server/ops/web-context.ts';
import { nextPage, PAGE_PATH, pathWithNext } from '../../account/next-page.ts';
import { findDashboardPage } from './dashboard-pages.ts';

interface OwnAccount {
  readonly ctx: Context;
  readonly visitor: Visitor;
}

/** Returns who is signed in, looked up once for each request. Anybody else is led to the sign-in, and back. */
export const findOwnAccount = cache(async (): Promise<OwnAccount> => {
  const ctx = await getWebContext();
  const given = await headers();
  const visitor = await findVisitor(ctx, given);
  if (!visitor) redirect(signInPath(given));
  return { ctx, visitor };
});

/** Returns the path of the sign-in, which tells a visitor who was signed in before that the session has ended. */
function signInPath(given: Awaited<ReturnType<typeof headers>>): string {
  const path = pathWithNext('/sign-in', nextPage(given.get(PAGE_PATH)));
  const hadSession = /\bsession_token=/.test(given.get('cookie') ?? '');
  return hadSession ? `${path}${path.includes('?') ? '&' : '?'}ended=1` : path;
}

/**
 * Opens a page of the dashboard for a visitor who is signed in. A role that may not see it gets 403.
 * @param href of the page in the navigation
 */
export async function openPage(href: string): Promise<OwnAccount> {
  const own = await findOwnAccount();
  const { permission } = findDashboardPage(href);
  if (permission !== 'service' && !isPermitted(own.visitor.role, permission)) forbidden();
  return own;
}

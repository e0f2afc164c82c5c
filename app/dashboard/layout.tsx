import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { formatUsd } from '../../models/money.ts';
import { isOwner, visitorOf } from '../../server/auth/index.ts';
import { webContext } from '../../server/http/web-context.ts';
import { balance } from '../../server/wallet/index.ts';
import { nextPage, PAGE_PATH, pathWithNext } from '../account/next-page.ts';
import { Calls } from './parts/calls.tsx';
import styles from './parts/dashboard.module.css';
import { LowBalance } from './parts/low-balance.tsx';
import { SideNav } from './parts/side-nav.tsx';

/** Second layout of the site: navigation beside lists and forms, for whoever is signed in. */
export default async function DashboardLayout({ children }: { readonly children: ReactNode }) {
  const ctx = await webContext();
  const given = await headers();
  const visitor = await visitorOf(ctx, given);
  if (!visitor) redirect(pathWithNext('/sign-in', nextPage(given.get(PAGE_PATH))));
  const { available } = await balance(ctx.db, visitor.accountId);
  return (
    <Calls>
      <div className={styles.sided}>
        <SideNav isOwner={await isOwner(ctx, visitor)} />
        <div className={styles.page}>
          <LowBalance availableUsd={formatUsd(available)} />
          {children}
        </div>
      </div>
    </Calls>
  );
}

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { isOwner, visitorOf } from '../../server/auth/index.ts';
import { webContext } from '../../server/http/web-context.ts';
import { Calls } from './parts/calls.tsx';
import styles from './parts/dashboard.module.css';
import { LowBalance } from './parts/low-balance.tsx';
import { SideNav } from './parts/side-nav.tsx';

/** Second layout of the site: navigation beside lists and forms, for whoever is signed in. */
export default async function DashboardLayout({ children }: { readonly children: ReactNode }) {
  const ctx = await webContext();
  const visitor = await visitorOf(ctx, await headers());
  if (!visitor) redirect('/sign-in');
  return (
    <Calls>
      <div className={styles.sided}>
        <SideNav isOwner={await isOwner(ctx, visitor)} />
        <div className={styles.page}>
          <LowBalance />
          {children}
        </div>
      </div>
    </Calls>
  );
}

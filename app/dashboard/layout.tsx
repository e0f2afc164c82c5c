import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { formatUsd } from '../../models/operation/money.ts';
import { findVisitor, isOwner } from '../../server/auth/index.ts';
import { getWebContext } from '../../server/http/web-context.ts';
import { isInTestMode } from '../../server/trpc/procedures/test-mode.ts';
import { readBalance } from '../../server/wallet/index.ts';
import { nextPage, PAGE_PATH, pathWithNext } from '../account/next-page.ts';
import styles from './parts/dashboard.module.css';
import { LowBalance } from './parts/low-balance.tsx';
import { SideNav } from './parts/side-nav.tsx';
import { TestModeSwitch } from './parts/test-mode-switch.tsx';
import { TrpcProvider } from './parts/trpc-client.tsx';

/** Second layout of the site: navigation beside lists and forms, for whoever is signed in. */
export default async function DashboardLayout({ children }: { readonly children: ReactNode }) {
  const ctx = await getWebContext();
  const given = await headers();
  const visitor = await findVisitor(ctx, given);
  if (!visitor) redirect(pathWithNext('/sign-in', nextPage(given.get(PAGE_PATH))));
  const { available } = await readBalance(ctx.db, visitor.accountId);
  return (
    <TrpcProvider>
      <div className={styles.sided}>
        <SideNav isOwner={await isOwner(ctx, visitor)} />
        <div className={styles.page}>
          <TestModeSwitch isTest={isInTestMode(given)} />
          <LowBalance availableUsd={formatUsd(available)} />
          {children}
        </div>
      </div>
    </TrpcProvider>
  );
}

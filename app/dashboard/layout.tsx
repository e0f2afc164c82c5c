import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { formatUsd } from '../../models/core/operation/money.ts';
import { findModeAccount, isInTestMode, readAccountState } from '../../server/api/trpc/account-state.ts';
import { isPermitted, listPermissions } from '../../server/base/permissions.ts';
import { isServiceOwner } from '../../server/identity/auth/index.ts';
import { listAccounts } from '../../server/identity/team/index.ts';
import { readBalance } from '../../server/money/wallet/index.ts';
import styles from './layout.module.css';
import { AccountSwitch, LowBalance, TestModeSwitch } from './parts/account-bar.tsx';
import { findOwnAccount } from './parts/find-own-account.ts';
import { PermissionsProvider } from './parts/permissions.tsx';
import { SideNav } from './parts/side-nav.tsx';
import { TrpcProvider } from './parts/trpc-client.tsx';

/** Second layout of the site: navigation next to lists and forms, for visitors who are signed in. */
export default async function DashboardLayout({ children }: { readonly children: ReactNode }) {
  const { ctx, visitor } = await findOwnAccount();
  const { accountId, userId, role } = visitor;
  const given = await headers();
  // Before the page asks for anything, so that whatever changes from here on makes it ask again.
  const state = await readAccountState(ctx.db, visitor, await findModeAccount(ctx.db, accountId, given));
  const [{ available }, accounts, ownsService] = await Promise.all([
    readBalance(ctx.db, accountId),
    listAccounts(ctx.db, userId),
    isServiceOwner(ctx, visitor),
  ]);
  return (
    <TrpcProvider accountState={state}>
      <PermissionsProvider permissions={listPermissions(role)}>
        <div className={styles.sided}>
          <SideNav isServiceOwner={ownsService} />
          <div className={styles.page}>
            <div className={styles.modes}>
              <AccountSwitch accounts={accounts} shown={accountId} />
              {isPermitted(role, 'jobs.see') && <TestModeSwitch isTest={isInTestMode(given)} />}
            </div>
            <LowBalance availableUsd={formatUsd(available)} />
            {children}
          </div>
        </div>
      </PermissionsProvider>
    </TrpcProvider>
  );
}

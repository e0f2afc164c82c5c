import type { Metadata } from 'next';
import { readEnv } from '../../server/base/env.ts';
import { isPermitted } from '../../server/base/permissions.ts';
import { openPage } from './parts/find-own-account.ts';
import { FirstSteps } from './wallet/first-steps.tsx';
import { Ledger, WalletSummary } from './wallet/ledger.tsx';

export const metadata: Metadata = { title: 'Wallet', robots: 'noindex' };

export default async function WalletPage() {
  const { PUBLIC_URL } = readEnv();
  const { role } = (await openPage('/dashboard')).visitor;
  return (
    <>
      <h1>Wallet</h1>
      {isPermitted(role, 'keys.change') && <FirstSteps origin={PUBLIC_URL} />}
      <WalletSummary />
      {isPermitted(role, 'money.see') && <Ledger />}
    </>
  );
}

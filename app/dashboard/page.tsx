import type { Metadata } from 'next';
import { readEnv } from '../../server/base/env.ts';
import { FirstSteps } from './wallet/first-steps.tsx';
import { Ledger } from './wallet/ledger.tsx';
import { WalletSummary } from './wallet/wallet-summary.tsx';

export const metadata: Metadata = { title: 'Wallet', robots: 'noindex' };

export default function WalletPage() {
  const { PUBLIC_URL } = readEnv();
  return (
    <>
      <h1>Wallet</h1>
      <FirstSteps origin={PUBLIC_URL} />
      <WalletSummary />
      <Ledger />
    </>
  );
}

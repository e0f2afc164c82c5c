import type { Metadata } from 'next';
import { Ledger } from './parts/ledger.tsx';
import { WalletSummary } from './parts/wallet-summary.tsx';

export const metadata: Metadata = { title: 'Wallet', robots: 'noindex' };

export default function WalletPage() {
  return (
    <>
      <h1>Wallet</h1>
      <WalletSummary />
      <Ledger />
    </>
  );
}

import type { Metadata } from 'next';
import { Ledger } from './wallet/ledger.tsx';
import { WalletSummary } from './wallet/wallet-summary.tsx';

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

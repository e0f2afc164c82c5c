'use client';

import { usePathname } from 'next/navigation';
import { useApiKey } from '../(studio)/service/api-key.ts';
import { useWallet } from '../(studio)/service/use-wallet.ts';
import styles from './shell.module.css';
import { SiteLink } from './site-link.tsx';

/** Shows what the visitor's key can spend, and leads to the settings. Without a key, or an answer, only the latter. */
export function WalletLink() {
  const path = usePathname();
  const { wallet } = useWallet(useApiKey(), path);
  return (
    <SiteLink href="/settings" className={styles.wallet} data-known={wallet !== undefined}>
      <span>Wallet</span>
      {wallet && <b className="facts">${wallet.availableUsd}</b>}
    </SiteLink>
  );
}

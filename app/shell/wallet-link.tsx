'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useApiKey } from '../(studio)/service/api-key.ts';
import { jobEnds } from '../(studio)/service/job-ends.ts';
import { useWallet } from '../(studio)/service/use-wallet.ts';
import { useSignedIn } from '../account/signed-in.ts';
import styles from './shell.module.css';
import { SiteLink } from './site-link.tsx';

/**
 * Shows what can be spent and leads to the wallet of who is signed in or, with an API key alone, to the settings.
 * Anybody else is led to the sign-in.
 */
export function WalletLink() {
  const path = usePathname();
  const apiKey = useApiKey();
  const isSignedIn = useSignedIn();
  const { wallet } = useWallet(isSignedIn ? null : apiKey, path);
  const own = useOwnBalance(isSignedIn, path);
  if (!isSignedIn && apiKey === null) {
    return (
      <SiteLink href="/sign-in" className={styles.wallet}>
        Sign in
      </SiteLink>
    );
  }
  const availableUsd = isSignedIn ? own : wallet?.availableUsd;
  return (
    <SiteLink
      href={isSignedIn ? '/dashboard' : '/settings'}
      className={styles.wallet}
      data-known={availableUsd !== undefined}
    >
      <span>Wallet</span>
      {availableUsd !== undefined && <b className="facts">${availableUsd}</b>}
    </SiteLink>
  );
}

/** Asks for the balance of who is signed in, on each page and after each job. */
function useOwnBalance(isSignedIn: boolean, path: string): string | undefined {
  const jobs = useSyncExternalStore(jobEnds.subscribe, jobEnds.get, () => 0);
  const [usd, setUsd] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page and the end of a job ask again
  useEffect(() => {
    if (!isSignedIn) return;
    const ending = new AbortController();
    import('../account/read-session.ts')
      .then(({ readAvailableUsd }) => readAvailableUsd(ending.signal))
      .then((found) => !ending.signal.aborted && setUsd(found))
      .catch(() => {});
    return () => ending.abort();
  }, [isSignedIn, path, jobs]);
  return usd;
}

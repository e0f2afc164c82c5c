'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { useAvailableUsd } from '../account/use-balance.ts';
import { useSignedInIfKnown } from '../account/use-signed-in.ts';
import { cutToCents } from '../text/quantities.ts';
import { SiteLink } from '../ui/site-link.tsx';
import styles from './shell.module.css';

/** Storage key of the API key that earlier versions stored, where any script of the page could read it. */
const FORMER_KEY = 'darkroom-api-key';

/**
 * Shows what can be spent and leads to the wallet of who is signed in. Anybody else is led to the sign-in, which is not
 * shown until it is known that the visitor is signed out.
 */
export function WalletLink() {
  const isSignedIn = useSignedInIfKnown();
  const availableUsd = useAvailableUsd(usePathname());
  useEffect(forgetFormerKey, []);
  if (!isSignedIn) {
    return (
      <SiteLink href="/sign-in" className={styles.wallet} data-settled={isSignedIn !== undefined}>
        Sign in
      </SiteLink>
    );
  }
  return (
    <SiteLink href="/dashboard" className={styles.wallet} data-known={availableUsd !== undefined}>
      <span>Wallet</span>
      {availableUsd !== undefined && <b className="facts">${cutToCents(availableUsd)}</b>}
    </SiteLink>
  );
}

function forgetFormerKey(): void {
  try {
    localStorage.removeItem(FORMER_KEY);
  } catch {
    // A browser that forbids storage has kept nothing.
  }
}

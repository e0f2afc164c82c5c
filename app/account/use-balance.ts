'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { Cell } from '../../models/core/cell.ts';
import { useSignedIn } from './use-signed-in.ts';

/** Number of times that this page has learnt of a change of the balance: a job has ended, or money has come or gone. */
const balanceChanges = new Cell(0);

/**
 * Returns what the wallet of who is signed in can spend, in US dollars; undefined without a session, and until it is known. It
 * is asked for after each change that the page learns of, and when the visitor comes back to the page.
 * @param occasion asks again whenever it changes
 */
export function useAvailableUsd(occasion = ''): string | undefined {
  const isSignedIn = useSignedIn();
  const changes = useSyncExternalStore(balanceChanges.subscribe, balanceChanges.get, () => 0);
  const returns = useReturns();
  const [usd, setUsd] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new occasion, a change and a return ask again
  useEffect(() => {
    if (!isSignedIn) return;
    const ending = new AbortController();
    import('./fetch-balance.ts')
      .then(({ fetchAvailableUsd }) => fetchAvailableUsd(ending.signal))
      .then((found) => !ending.signal.aborted && setUsd(found))
      .catch(() => {});
    return () => ending.abort();
  }, [isSignedIn, occasion, changes, returns]);
  return isSignedIn ? usd : undefined;
}

/** Counts how often the visitor has come back to this page. */
function useReturns(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const onReturn = () => setCount((before) => before + 1);
    window.addEventListener('focus', onReturn);
    return () => window.removeEventListener('focus', onReturn);
  }, []);
  return count;
}

export function reportBalanceChange(): void {
  balanceChanges.set((before) => before + 1);
}

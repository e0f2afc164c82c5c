'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { failureWords } from '../batch/failure-words.ts';
import { jobEnds } from './job-ends.ts';
import type { Wallet } from './read-wallet.ts';

/** Wait in milliseconds for the balance. */
export const WALLET_TIMEOUT_MS = 15_000;

/** The wallet, or why it could not be read; neither while the server is being asked. */
export interface WalletState {
  readonly wallet?: Wallet;
  readonly problem?: string;
}

/**
 * Asks for the balance of a key's wallet after the page has rendered, and after each job. Without a key nothing is loaded or sent.
 * @param occasion asks again whenever it changes
 */
export function useWallet(apiKey: string | null, occasion = ''): WalletState {
  const jobs = useSyncExternalStore(jobEnds.subscribe, jobEnds.get, () => 0);
  const [state, setState] = useState<WalletState & { readonly apiKey?: string }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new occasion and the end of a job ask again
  useEffect(() => {
    if (apiKey === null) return;
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(WALLET_TIMEOUT_MS)]);
    import('./read-wallet.ts')
      .then(({ readWallet }) => readWallet(apiKey, signal))
      .then(
        (wallet) => setState({ apiKey, wallet }),
        (thrown) => !ending.signal.aborted && setState({ apiKey, problem: walletProblem(thrown) }),
      );
    return () => ending.abort();
  }, [apiKey, occasion, jobs]);
  // The state of a former key says nothing about this one.
  return state.apiKey === apiKey ? state : {};
}

/** Describes why a wallet could not be read, or its key not stored. */
export function walletProblem(thrown: unknown): string {
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError') {
    return 'The server did not respond in time. Try again.';
  }
  if (thrown instanceof DOMException) {
    return "This browser can't store data for this site, so it can't save the key.";
  }
  return failureWords(thrown);
}

'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import styles from './dashboard.module.css';
import { usePermitted } from './permissions.tsx';
import { useTrpc } from './trpc-client.tsx';

/** Below this many US dollars, jobs may soon be refused. */
const LOW_USD = 1;
const TOP_UP = '/dashboard/top-up';

interface LowBalanceProps {
  /** Available amount when the page was made, so that the notice is there from the start. */
  readonly availableUsd: string;
}

/** Says that the balance runs low, on every page of the dashboard but the one that mends it. */
export function LowBalance({ availableUsd: before }: LowBalanceProps) {
  const calls = useTrpc();
  const { data } = useQuery(calls.wallet.summary.queryOptions());
  const availableUsd = data?.availableUsd ?? before;
  const canTopUp = usePermitted('money.change');
  const isMending = usePathname() === TOP_UP;
  if (isMending || Number(availableUsd) >= LOW_USD) return null;
  return (
    <p role="status" className={styles.low}>
      {Number(availableUsd) === 0
        ? 'Your wallet is empty: new jobs are refused.'
        : `Only $${availableUsd} is available: jobs that cost more are refused.`}{' '}
      {canTopUp ? <Link href={TOP_UP}>Top up</Link> : 'An owner or the billing role can top up.'}
    </p>
  );
}

'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useCalls } from './calls.tsx';
import styles from './dashboard.module.css';

/** Below this many US dollars, jobs may soon be refused. */
const LOW_USD = 1;

/** Says that the balance runs low, on every page of the dashboard. */
export function LowBalance() {
  const calls = useCalls();
  const { data } = useQuery(calls.wallet.summary.queryOptions());
  if (!data || Number(data.availableUsd) >= LOW_USD) return null;
  return (
    <p role="status" className={styles.low}>
      {Number(data.availableUsd) === 0 ? 'Your wallet is empty' : `Only $${data.availableUsd} is available`}:
      jobs that cost more are refused. <Link href="/dashboard/top-up">Top up</Link>
    </p>
  );
}

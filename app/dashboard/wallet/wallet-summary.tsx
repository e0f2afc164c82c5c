'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePermitted } from '../parts/permissions.tsx';
import styles from '../parts/sums.module.css';
import { useTrpc } from '../parts/trpc-client.tsx';

/** Shows the balance, the amount that running jobs hold, and the available amount. */
export function WalletSummary() {
  const calls = useTrpc();
  const canTopUp = usePermitted('money.change');
  const { data, error } = useQuery(calls.wallet.summary.queryOptions());
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <div className={styles.money}>
      <dl className={styles.sum} aria-busy={!data}>
        <div>
          <dt>Available</dt>
          <dd className={styles.largest}>{data ? `$${data.availableUsd}` : '…'}</dd>
        </div>
        <div>
          <dt>Balance</dt>
          <dd>{data ? `$${data.balanceUsd}` : '…'}</dd>
        </div>
        <div>
          <dt>{data ? `Held for ${data.holds} ${data.holds === 1 ? 'job' : 'jobs'}` : 'Held'}</dt>
          <dd>{data ? `$${data.heldUsd}` : '…'}</dd>
        </div>
      </dl>
      {canTopUp && (
        <Link href="/dashboard/top-up" className="button button-primary">
          Top up
        </Link>
      )}
    </div>
  );
}

'use client';

import { useQuery } from '@tanstack/react-query';
import styles from '../parts/dashboard.module.css';
import { usePermitted } from '../parts/permissions.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';
import { PayForm } from './pay-form.tsx';
import { Payments } from './payments.tsx';
import { TestTopUp } from './test-top-up.tsx';

/** Lets the visitor put money into the wallet: without payments, a local install credits test money. */
export function TopUp() {
  const calls = useTrpc();
  const canTopUp = usePermitted('money.change');
  const { data } = useQuery(calls.wallet.summary.queryOptions());
  if (!data) return <p role="status">Loading…</p>;
  return (
    <>
      <section aria-label="Amount">
        <p>
          Available now: <b className={styles.mono}>${data.availableUsd}</b>
        </p>
        {canTopUp && data.topUp === 'stripe' && <PayForm />}
        {canTopUp && data.topUp === 'test' && <TestTopUp />}
        {!canTopUp && <p>An owner or the billing role can top up.</p>}
        {data.topUp === 'none' && <p>This service takes no payments. Its operator can credit your wallet.</p>}
      </section>
      {data.topUp === 'stripe' && <Payments />}
    </>
  );
}

'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import styles from '../parts/dashboard.module.css';
import { formatMoment } from '../parts/format.ts';
import { usePermitted } from '../parts/permissions.tsx';
import tableStyles from '../parts/table.module.css';
import { useTrpc } from '../parts/trpc-client.tsx';

const STATES = { pending: 'Waiting for the bank', paid: 'Paid', failed: 'Failed' } as const;

/** Automatic top-ups, and the latest payments with their receipts. */
export function Payments() {
  const calls = useTrpc();
  const { data: payments } = useQuery(calls.payments.list.queryOptions());
  return (
    <>
      <Automatic />
      <section aria-labelledby="payments">
        <h2 id="payments">Payments</h2>
        {payments?.length === 0 && <p className={styles.muted}>No payments yet.</p>}
        {payments && payments.length > 0 && (
          <table className={tableStyles.table}>
            <caption className="sr-only">Latest payments, newest first</caption>
            <thead>
              <tr>
                <th scope="col">State</th>
                <th scope="col" className={tableStyles.number}>
                  Credit in USD
                </th>
                <th scope="col">Time</th>
                <th scope="col">Receipt</th>
              </tr>
            </thead>
            <tbody>
              {payments.map(({ id, state, isAutomatic, creditUsd, createdAt, receiptUrl, ...less }) => (
                <tr key={id}>
                  <td>
                    {STATES[state]}
                    {isAutomatic && ', automatically'}
                    {less.refundedUsd && `, $${less.refundedUsd} refunded`}
                    {less.disputedUsd && `, $${less.disputedUsd} in dispute`}
                  </td>
                  <td className={tableStyles.number}>{creditUsd}</td>
                  <td className={styles.small}>{formatMoment(createdAt)}</td>
                  <td>{receiptUrl && <a href={receiptUrl}>Receipt</a>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  );
}

function Automatic() {
  const calls = useTrpc();
  const canStop = usePermitted('money.change');
  const queries = useQueryClient();
  const { data } = useQuery(calls.payments.automatic.queryOptions());
  const stop = useMutation(
    calls.payments.stopAutomatic.mutationOptions({ onSuccess: () => void queries.invalidateQueries() }),
  );
  if (!data) return null;
  return (
    <section aria-labelledby="automatic">
      <h2 id="automatic">Automatic top-up</h2>
      {data.refusal ? (
        <p role="status" className={styles.low}>
          Stopped: {data.refusal} Pay once more above, with the box checked, to start it again.
        </p>
      ) : (
        <p>
          ${data.amountUsd} whenever less than ${data.belowUsd} is available, at most five times a day. A stop
          also deletes the saved payment method.
        </p>
      )}
      {canStop && (
        <div className={styles.actions}>
          <button type="button" className="button" disabled={stop.isPending} onClick={() => stop.mutate()}>
            Stop automatic top-ups
          </button>
        </div>
      )}
    </section>
  );
}

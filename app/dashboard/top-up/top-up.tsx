'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, useEffect, useState } from 'react';
import { formatMoment } from '../../ui/dates.ts';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { usePermitted } from '../parts/permissions.tsx';
import { Problem } from '../parts/problem.tsx';
import tableStyles from '../parts/table.module.css';
import { useTrpc } from '../parts/trpc-client.tsx';
import { AMOUNT_FIRST, AmountChoice, OTHER_AMOUNT } from './amount-choice.tsx';

const OUTCOMES: Readonly<Record<string, string>> = {
  done: 'Thank you. The money appears once Stripe confirms it.',
  left: 'Nothing was charged.',
};

const THRESHOLD = 'Below, in US dollars';

/** Labels of the form, by the names of the call and of the checkout. */
const LABELS = {
  amountUsd: OTHER_AMOUNT,
  amount: OTHER_AMOUNT,
  automaticBelowUsd: THRESHOLD,
  'automatic.threshold': THRESHOLD,
} as const;

interface ThresholdFieldProps {
  readonly belowUsd: string;
  readonly onBelowUsd: (belowUsd: string) => void;
}

const STATES = { pending: 'Waiting for the bank', paid: 'Paid', failed: 'Failed' } as const;

/** Lets the visitor put money into the wallet: without payments, a local install credits test money. */
export function TopUp() {
  const calls = useTrpc();
  const canTopUp = usePermitted('money.change');
  const { data } = useQuery(calls.wallet.summary.queryOptions());
  if (!data) return <p role="status">Loading…</p>;
  return (
    <>
      <section aria-label="Amount">
        {canTopUp && data.topUp === 'stripe' && <PayForm />}
        {canTopUp && data.topUp === 'test' && <TestTopUp />}
        {!canTopUp && <p>An owner or the billing role can top up.</p>}
        {data.topUp === 'none' && <p>This service takes no payments. Its operator can credit your wallet.</p>}
      </section>
      {data.topUp === 'stripe' && <Payments />}
    </>
  );
}

/** Form that credits without money. A press that is repeated after a failure credits once. */
function TestTopUp() {
  const calls = useTrpc();
  const [amountUsd, setAmountUsd] = useState<string>(AMOUNT_FIRST);
  const [press, setPress] = useState(() => crypto.randomUUID());
  const topUp = useMutation(
    calls.wallet.testTopUp.mutationOptions({
      onSuccess: () => setPress(crypto.randomUUID()),
    }),
  );
  const send = (event: FormEvent) => {
    event.preventDefault();
    topUp.mutate({ amountUsd, idempotencyKey: press });
  };
  return (
    <form className={formStyles.form} onSubmit={send}>
      <AmountChoice onAmount={setAmountUsd} range="At most 1000 US dollars." />
      <Problem error={topUp.error} labels={{ amountUsd: OTHER_AMOUNT }} />
      <div className={styles.actions}>
        <button type="submit" className="button button-primary" disabled={topUp.isPending}>
          {topUp.isPending ? 'Adding…' : `Add $${amountUsd || '…'} of test money`}
        </button>
        <span role="status">{topUp.isSuccess && `$${topUp.variables.amountUsd} added.`}</span>
      </div>
    </form>
  );
}

/** Automatic top-ups, and the latest payments with their receipts. */
function Payments() {
  const calls = useTrpc();
  const { data: payments } = useQuery(calls.payments.list.queryOptions());
  return (
    <>
      <Automatic />
      <section aria-labelledby="payments">
        <h2 id="payments">Payments</h2>
        {payments?.length === 0 && <p className={styles.muted}>No payments yet.</p>}
        {payments && payments.length > 0 && (
          <table className={tableStyles.table} aria-labelledby="payments">
            <thead>
              <tr>
                <th scope="col">State</th>
                <th scope="col" className={tableStyles.number}>
                  USD
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
                  <td className="note">{formatMoment(createdAt)}</td>
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
  const { data } = useQuery(calls.payments.automatic.queryOptions());
  const stop = useMutation(calls.payments.stopAutomatic.mutationOptions());
  if (!data) return null;
  return (
    <section aria-labelledby="automatic">
      <h2 id="automatic">Automatic top-up</h2>
      {data.refusal ? (
        <p role="status" className={styles.low}>
          Stopped: {data.refusal} To start it again, pay above with the box checked.
        </p>
      ) : (
        <p>
          ${data.amountUsd} whenever less than ${data.belowUsd} is left. Stopping deletes the payment method.
        </p>
      )}
      {canStop && (
        <div className={styles.actions}>
          <button type="button" className="button" disabled={stop.isPending} onClick={() => stop.mutate()}>
            Stop automatic top-ups
          </button>
          <Problem error={stop.error} />
        </div>
      )}
    </section>
  );
}

/** Form for an amount, which leads to Stripe's own page and back. */
function PayForm() {
  const outcome = OUTCOMES[useSearchParams().get('checkout') ?? ''];
  const [amountUsd, setAmountUsd] = useState<string>(AMOUNT_FIRST);
  const [isAutomatic, setAutomatic] = useState(false);
  const [belowUsd, setBelowUsd] = useState('5');
  const checkout = useCheckout();
  const isOpening = checkout.isPending || checkout.isSuccess;
  const send = (event: FormEvent) => {
    event.preventDefault();
    checkout.mutate({
      amountUsd,
      idempotencyKey: crypto.randomUUID(),
      ...(isAutomatic && { automaticBelowUsd: belowUsd.trim() }),
    });
  };
  return (
    <form className={formStyles.form} onSubmit={send}>
      {outcome && (
        <p role="status" className={styles.low}>
          {outcome}
        </p>
      )}
      <AmountChoice onAmount={setAmountUsd} range="5 to 1000 US dollars, in whole cents." />
      <label className={formStyles.check}>
        <input type="checkbox" checked={isAutomatic} onChange={() => setAutomatic(!isAutomatic)} />
        <span>Top up automatically</span>
      </label>
      {isAutomatic && <ThresholdField belowUsd={belowUsd} onBelowUsd={setBelowUsd} />}
      <Problem error={checkout.error} labels={LABELS} />
      <div className={styles.actions}>
        <button type="submit" className="button button-primary" disabled={isOpening}>
          {isOpening ? 'Opening Stripe…' : `Pay $${amountUsd || '…'}`}
        </button>
        <span className={styles.muted}>You pay on Stripe’s page.</span>
      </div>
    </form>
  );
}

/** Returns the call that opens Stripe's page. */
function useCheckout() {
  const calls = useTrpc();
  const checkout = useMutation(
    calls.payments.checkout.mutationOptions({ onSuccess: ({ url }) => location.assign(url) }),
  );
  // A browser that goes back from Stripe's page may show this one as it was left: with a button that waits.
  const { reset } = checkout;
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && reset();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [reset]);
  return checkout;
}

function ThresholdField({ belowUsd, onBelowUsd }: ThresholdFieldProps) {
  return (
    <label className={formStyles.field}>
      <span>{THRESHOLD}</span>
      <input
        className={formStyles.input}
        inputMode="decimal"
        required
        value={belowUsd}
        onChange={({ target }) => onBelowUsd(target.value)}
        aria-describedby="threshold"
      />
      <small id="threshold" className="note">
        Pays again below this.
      </small>
    </label>
  );
}

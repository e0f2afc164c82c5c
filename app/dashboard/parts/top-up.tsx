'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useCalls } from './calls.tsx';
import styles from './dashboard.module.css';
import { problemOf } from './words.ts';

const AMOUNTS = ['5', '20', '100'] as const;

/** Lets the visitor put money into the wallet: without payments, a local install credits test money. */
export function TopUp() {
  const calls = useCalls();
  const { data } = useQuery(calls.wallet.summary.queryOptions());
  if (!data) return <p role="status">Loading…</p>;
  return (
    <section aria-label="Amount">
      <p>
        Available now: <b className={styles.mono}>${data.availableUsd}</b>
      </p>
      {data.topUp === 'test' ? <TestTopUp /> : <NoPayments />}
    </section>
  );
}

function NoPayments() {
  return <p>This page takes no payments yet. The operator of this service can credit your wallet.</p>;
}

/** Form for an amount. A press that is repeated after a failure credits once. */
function TestTopUp() {
  const calls = useCalls();
  const queries = useQueryClient();
  const [amount, setAmount] = useState<string>('20');
  const [other, setOther] = useState('');
  const [press, setPress] = useState(() => crypto.randomUUID());
  const topUp = useMutation(
    calls.wallet.testTopUp.mutationOptions({
      onSuccess: () => {
        setPress(crypto.randomUUID());
        void queries.invalidateQueries();
      },
    }),
  );
  const amountUsd = amount === 'other' ? other.trim() : amount;
  const send = (event: FormEvent) => {
    event.preventDefault();
    topUp.mutate({ amountUsd, idempotencyKey: press });
  };
  return (
    <form className={styles.form} onSubmit={send}>
      <p className={styles.low}>
        Test money: no payments are set up on this local install, so nothing is charged. The ledger marks each
        test top-up.
      </p>
      <fieldset>
        <legend>Amount in US dollars</legend>
        <div className={styles.amounts}>
          {[...AMOUNTS, 'other'].map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="amount"
                value={each}
                className="unseen-input"
                checked={amount === each}
                onChange={() => setAmount(each)}
              />
              <span>{each === 'other' ? 'Other' : `$${each}`}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {amount === 'other' && (
        <label className={styles.field}>
          <span>Other amount</span>
          <input
            className={styles.input}
            inputMode="decimal"
            required
            value={other}
            placeholder="12.50"
            onChange={(event) => setOther(event.target.value)}
          />
        </label>
      )}
      <p role="alert" className={styles.problem}>
        {problemOf(topUp.error)}
      </p>
      <div className={styles.ways}>
        <button type="submit" className="button button-primary" disabled={topUp.isPending}>
          {topUp.isPending ? 'Adding…' : `Add $${amountUsd || '…'} of test money`}
        </button>
        <span role="status">{topUp.isSuccess && `$${topUp.variables.amountUsd} added.`}</span>
      </div>
    </form>
  );
}

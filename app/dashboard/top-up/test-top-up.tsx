'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { describeProblem } from '../parts/format.ts';
import { useTrpc } from '../parts/trpc-client.tsx';
import { AMOUNT_FIRST, AmountChoice, OTHER_AMOUNT } from './amount-choice.tsx';

/** Form that credits without money. A press that is repeated after a failure credits once. */
export function TestTopUp() {
  const calls = useTrpc();
  const queries = useQueryClient();
  const [amountUsd, setAmountUsd] = useState<string>(AMOUNT_FIRST);
  const [press, setPress] = useState(() => crypto.randomUUID());
  const topUp = useMutation(
    calls.wallet.testTopUp.mutationOptions({
      onSuccess: () => {
        setPress(crypto.randomUUID());
        void queries.invalidateQueries();
      },
    }),
  );
  const send = (event: FormEvent) => {
    event.preventDefault();
    topUp.mutate({ amountUsd, idempotencyKey: press });
  };
  return (
    <form className={formStyles.form} onSubmit={send}>
      <p className={styles.low}>
        Test money: no payments are set up on this local install, so nothing is charged. The ledger marks each
        test top-up.
      </p>
      <AmountChoice onAmount={setAmountUsd} range="At most 1000 US dollars." />
      <p role="alert" className={styles.problem}>
        {describeProblem(topUp.error, { amountUsd: OTHER_AMOUNT })}
      </p>
      <div className={styles.actions}>
        <button type="submit" className="button button-primary" disabled={topUp.isPending}>
          {topUp.isPending ? 'Adding…' : `Add $${amountUsd || '…'} of test money`}
        </button>
        <span role="status">{topUp.isSuccess && `$${topUp.variables.amountUsd} added.`}</span>
      </div>
    </form>
  );
}

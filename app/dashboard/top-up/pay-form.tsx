'use client';

import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, useEffect, useState } from 'react';
import styles from '../parts/dashboard.module.css';
import formStyles from '../parts/form.module.css';
import { describeProblem } from '../parts/format.ts';
import { useTrpc } from '../parts/trpc-client.tsx';
import { AMOUNT_FIRST, AmountChoice, OTHER_AMOUNT } from './amount-choice.tsx';

const OUTCOMES: Readonly<Record<string, string>> = {
  done: 'Thank you. The credit appears here as soon as Stripe confirms the payment.',
  left: 'Nothing was charged.',
};

const THRESHOLD = 'Threshold in US dollars';
/** Labels of the form, by the names of the call and of the checkout. */
const LABELS = {
  amountUsd: OTHER_AMOUNT,
  amount: OTHER_AMOUNT,
  automaticBelowUsd: THRESHOLD,
  'automatic.threshold': THRESHOLD,
} as const;

/** Form for an amount, which leads to Stripe's own page and back. */
export function PayForm() {
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
        <span>Pay this amount again automatically when the wallet runs low</span>
      </label>
      {isAutomatic && <ThresholdField belowUsd={belowUsd} onBelowUsd={setBelowUsd} />}
      <p role="alert" className={styles.problem}>
        {describeProblem(checkout.error, LABELS)}
      </p>
      <div className={styles.actions}>
        <button type="submit" className="button button-primary" disabled={isOpening}>
          {isOpening ? 'Opening Stripe…' : `Pay $${amountUsd || '…'}`}
        </button>
        <span className={styles.muted}>You pay on Stripe’s page. Card numbers never reach this service.</span>
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

interface ThresholdFieldProps {
  readonly belowUsd: string;
  readonly onBelowUsd: (belowUsd: string) => void;
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
      <small id="threshold" className={styles.small}>
        Pays again whenever less than this is available.
      </small>
    </label>
  );
}

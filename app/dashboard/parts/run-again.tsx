'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import type { CallAnswers } from '../../../server/trpc/router.ts';
import { useCalls } from './calls.tsx';
import styles from './dashboard.module.css';
import { problemOf } from './words.ts';

type Rerun = NonNullable<CallAnswers['jobs']['get']['rerun']>;

/** Runs an ended job again for the price on the button, or says why that is not possible. */
export function RunAgain({ id, rerun }: { readonly id: string; readonly rerun: Rerun }) {
  const calls = useCalls();
  const queries = useQueryClient();
  const [press, setPress] = useState(() => crypto.randomUUID());
  const again = useMutation(
    calls.jobs.runAgain.mutationOptions({
      onSuccess: () => void queries.invalidateQueries(),
      // A refusal is repeated under its key. Without an answer there may be a job, which the same key finds.
      onError: ({ data }) => {
        if (data) setPress(crypto.randomUUID());
        void queries.invalidateQueries();
      },
    }),
  );
  if ('refusal' in rerun) return <p className={styles.small}>{rerun.refusal}</p>;
  // Without the button a slow double click starts nothing more.
  if (again.data) {
    return (
      <p role="status">
        It runs again: <Link href={`/dashboard/jobs?job=${again.data.id}`}>open the new job</Link>
      </p>
    );
  }
  const { priceUsd } = rerun;
  return (
    <div>
      <button
        type="button"
        className="button"
        disabled={again.isPending}
        onClick={() => again.mutate({ id, priceUsd, idempotencyKey: press })}
      >
        {again.isPending ? 'Sending…' : `Run again · $${priceUsd}`}
      </button>
      <p role="alert" className={styles.problem}>
        {problemOf(again.error)}
      </p>
    </div>
  );
}

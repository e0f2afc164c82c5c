'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import type { CallOutputs } from '../../../server/api/trpc/router.ts';
import styles from '../parts/dashboard.module.css';
import { describeProblem } from '../parts/format.ts';
import { useTrpc } from '../parts/trpc-client.tsx';

type Rerun = NonNullable<CallOutputs['jobs']['get']['rerun']>;

/** Runs an ended job again for the price on the button, or says why that is not possible. */
export function RerunJob({ id, rerun }: { readonly id: string; readonly rerun: Rerun }) {
  const calls = useTrpc();
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
        {describeProblem(again.error)}
      </p>
    </div>
  );
}

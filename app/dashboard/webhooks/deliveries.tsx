'use client';

import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { CallOutputs } from '../../../server/api/trpc/router.ts';
import { formatMoment } from '../../ui/dates.ts';
import styles from '../parts/dashboard.module.css';
import { LoadMore } from '../parts/list-controls.tsx';
import { usePermitted } from '../parts/permissions.tsx';
import { Problem } from '../parts/problem.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';

type Delivery = CallOutputs['webhooks']['deliveries']['deliveries'][number];

const STATES = {
  pending: { word: 'on its way', tone: 'ink' },
  delivered: { word: 'delivered', tone: 'good' },
  failed: { word: 'failed', tone: 'bad' },
} as const;

/** Deliveries of the account's webhooks, newest first. */
export function Deliveries() {
  const calls = useTrpc();
  const list = useInfiniteQuery(
    calls.webhooks.deliveries.infiniteQueryOptions({}, { getNextPageParam: ({ next }) => next }),
  );
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <ul className={styles.list}>
        {deliveries.map((delivery) => (
          <li key={delivery.id}>
            <p className="note">
              {formatMoment(delivery.createdAt)} · <span className="facts">{delivery.reference}</span>
            </p>
            <Attempts delivery={delivery} />
          </li>
        ))}
      </ul>
      <LoadMore
        list={list}
        isEmpty={deliveries.length === 0}
        empty="None yet. Requests ask for them by X-Webhook-URL."
      />
    </section>
  );
}

/** One delivery with its attempts, body and responses, and a button that sends it again. */
export function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const { id, url, body, state, attempts, nextAttemptAt } = delivery;
  const canResend = usePermitted('webhooks.change');
  return (
    <>
      <div className={styles.line}>
        <p className="facts">{url}</p>
        <span className={styles.state} data-tone={STATES[state].tone}>
          {STATES[state].word}
        </span>
      </div>
      {attempts.map(({ attempt, at, durationMs, responseStatus, responseBody, error }) => (
        <div key={attempt} className="note">
          {attempt}. {formatMoment(at)}, {durationMs} ms: {responseStatus ?? 'no response'}
          {error && `, ${error}`}
          {responseBody && (
            <details>
              <summary>Response</summary>
              <pre className={styles.text}>{responseBody}</pre>
            </details>
          )}
        </div>
      ))}
      {state === 'pending' && nextAttemptAt && attempts.length > 0 && (
        <p className="note">Next attempt: {formatMoment(nextAttemptAt)}</p>
      )}
      <details>
        <summary>Body</summary>
        <pre className={styles.text}>{body}</pre>
      </details>
      {canResend && <Resend id={id} />}
    </>
  );
}

function Resend({ id }: { readonly id: string }) {
  const calls = useTrpc();
  const resend = useMutation(calls.webhooks.resend.mutationOptions());
  return (
    <div className={styles.actions}>
      <button
        type="button"
        className="button"
        disabled={resend.isPending}
        onClick={() => resend.mutate({ deliveryId: id })}
      >
        Send event again
      </button>
      <Problem error={resend.error} />
    </div>
  );
}

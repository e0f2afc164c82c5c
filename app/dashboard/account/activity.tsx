'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import styles from '../parts/dashboard.module.css';
import { formatMoment } from '../parts/format.ts';
import { LoadMore } from '../parts/load-more.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';

const PAGE = 10;

/** Words for each recorded action. */
const ACTIONS: Readonly<Record<string, string>> = {
  'sign-in': 'Signed in',
  'sign-out': 'Signed out',
  'password.change': 'Changed the password',
  'password.reset': 'Set a new password by a link',
  'email.change': 'Asked for another e-mail address',
  'name.change': 'Changed the name',
  'sessions.end': 'Signed other browsers out',
  'passkey.add': 'Added a passkey',
  'passkey.delete': 'Deleted a passkey',
  'jobs.cancel': 'Cancelled a job',
  'jobs.runAgain': 'Ran a job again',
  'keys.create': 'Created a key',
  'keys.rotate': 'Replaced a key',
  'keys.revoke': 'Revoked a key',
  'keys.revokeAll': 'Revoked all keys',
  'payments.checkout': 'Opened a payment',
  'payments.stopAutomatic': 'Stopped automatic top-ups',
  'wallet.testTopUp': 'Topped up with test money',
  'webhooks.resend': 'Sent a webhook again',
  'webhooks.rotateSecret': 'Replaced the webhook secret',
  'webhooks.sendTest': 'Sent a test event',
};

/** Lists the actions of the account's people, newest first. */
export function Activity() {
  const calls = useTrpc();
  const list = useInfiniteQuery(
    calls.account.activity.infiniteQueryOptions(
      { limit: PAGE },
      { getNextPageParam: ({ next }) => next ?? undefined },
    ),
  );
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <section aria-labelledby="activity">
      <h2 id="activity">Activity</h2>
      {events.length > 0 && (
        <table className={styles.table}>
          <caption className="sr-only">Sign-ins and changes of the last year, newest first</caption>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Who, from where</th>
              <th scope="col">Time</th>
            </tr>
          </thead>
          <tbody>
            {events.map(({ id, action, subject, person, address, createdAt }) => (
              <tr key={id}>
                <td>
                  {ACTIONS[action] ?? action}
                  {subject && <span className={styles.small}> {subject}</span>}
                </td>
                <td className={styles.small}>{[person, address].filter(Boolean).join(', ')}</td>
                <td className={styles.small}>{formatMoment(createdAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <LoadMore list={list} isEmpty={events.length === 0} empty="Nothing yet." />
    </section>
  );
}

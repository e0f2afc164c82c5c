'use client';

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '../../ui/dates.ts';
import styles from '../parts/dashboard.module.css';
import { LoadMore, Select } from '../parts/list-controls.tsx';
import tableStyles from '../parts/table.module.css';
import { useTrpc } from '../parts/trpc-client.tsx';

const PAGE = 10;

/** Words for each recorded action. */
const ACTIONS: Readonly<Record<string, string>> = {
  'sign-in': 'Signed in',
  'sign-out': 'Signed out',
  'password.change': 'Changed the password',
  'password.reset': 'Set a new password by a link',
  'password.set': 'The operator set a new password',
  'email.change': 'Asked for another e-mail address',
  'name.change': 'Changed the name',
  'sessions.end': 'Signed other browsers out',
  'passkey.add': 'Added a passkey',
  'passkey.delete': 'Deleted a passkey',
  'account.download': 'Downloaded data',
  'jobs.cancel': 'Cancelled a job',
  'jobs.delete-output': 'Deleted the files of a job',
  'jobs.create': 'Ran a job',
  'jobs.runAgain': 'Ran a job again',
  'keys.create': 'Created a key',
  'keys.rotate': 'Replaced a key',
  'keys.revoke': 'Revoked a key',
  'keys.revokeAll': 'Revoked all keys',
  'payments.checkout': 'Opened a payment',
  'payments.payerLeft': 'Automatic top-ups ended, since their payer left',
  'payments.stopAutomatic': 'Stopped automatic top-ups',
  'spending.setCap': 'Changed the monthly cap',
  'spending.setEventUrl': 'Changed the event address',
  'team.accept': 'Joined by an invitation',
  'team.changeRole': 'Changed a role',
  'team.invite': 'Invited',
  'team.leave': 'Left the account',
  'team.remove': 'Removed a member',
  'team.resend': 'Sent an invitation again',
  'team.revoke': 'Revoked an invitation',
  'team.switch': 'Opened the account',
  'wallet.testTopUp': 'Topped up with test money',
  'webhooks.resend': 'Sent a webhook again',
  'webhooks.rotateSecret': 'Replaced the webhook secret',
  'webhooks.sendTest': 'Sent a test event',
};

/** Value of the filter that shows all members. */
const EVERYBODY = '';

/** Lists the actions of the account's people, or of one of them, newest first. */
export function Activity() {
  const calls = useTrpc();
  const [userId, setUserId] = useState(EVERYBODY);
  const list = useInfiniteQuery(
    calls.account.activity.infiniteQueryOptions(
      { limit: PAGE, ...(userId !== EVERYBODY && { userId }) },
      { getNextPageParam: ({ next }) => next ?? undefined },
    ),
  );
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <section aria-labelledby="activity">
      <div className={styles.head}>
        <h2 id="activity">Activity</h2>
        <PersonChoice userId={userId} onUserId={setUserId} />
      </div>
      {events.length > 0 && (
        <table className={tableStyles.table} aria-labelledby="activity">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Who</th>
              <th scope="col">Time</th>
            </tr>
          </thead>
          <tbody>
            {events.map(({ id, action, subject, person, address, createdAt }) => (
              <tr key={id}>
                <td>
                  {ACTIONS[action] ?? action}
                  {subject && <span className="note"> {subject}</span>}
                </td>
                <td className="note">{[person, address].filter(Boolean).join(', ')}</td>
                <td className="note">{formatMoment(createdAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <LoadMore list={list} isEmpty={events.length === 0} empty="Nothing yet." />
    </section>
  );
}

interface PersonChoiceProps {
  readonly userId: string;
  readonly onUserId: (userId: string) => void;
}

/** Choice of a person whose actions are listed, former members too. */
function PersonChoice({ userId, onUserId }: PersonChoiceProps) {
  const calls = useTrpc();
  const { data: people = [] } = useQuery(calls.account.actors.queryOptions());
  if (people.length < 2) return null;
  const names = people.map((person) => [person.userId, `${person.name} (${person.email})`] as const);
  return (
    <Select
      label="Member"
      value={userId}
      choices={{ [EVERYBODY]: 'All members', ...Object.fromEntries(names) }}
      onChoose={onUserId}
    />
  );
}

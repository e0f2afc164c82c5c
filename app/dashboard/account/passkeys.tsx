'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { callAuth } from '../../account/call-auth.ts';
import { addPasskey, useHasPasskeys } from '../../account/passkeys.ts';
import { formatMoment } from '../../ui/dates.ts';
import styles from '../parts/dashboard.module.css';
import { Problem } from '../parts/problem.tsx';

interface Passkey {
  readonly id: string;
  readonly name?: string | null;
  readonly createdAt: string;
}

/** Passkeys of who is signed in: sign-in without a password. */
export function Passkeys() {
  const canAdd = useHasPasskeys();
  const { data = [] } = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => callAuth<Passkey[]>('/passkey/list-user-passkeys'),
  });
  const change = useMutation({ mutationFn: (work: () => Promise<unknown>) => work() });
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <ul className={styles.list}>
        {data.map(({ id, name, createdAt }) => (
          <li key={id}>
            <div className={styles.line}>
              <p>
                <b>{name || 'Passkey'}</b> <span className="note">{formatMoment(createdAt)}</span>
              </p>
              <button
                type="button"
                className="button"
                onClick={() => change.mutate(() => callAuth('/passkey/delete-passkey', { id }))}
              >
                Remove passkey
              </button>
            </div>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        {canAdd ? (
          <button
            type="button"
            className="button"
            onClick={() => change.mutate(() => addPasskey(`Passkey ${data.length + 1}`))}
          >
            Add passkey
          </button>
        ) : (
          <p className={styles.muted}>None can be added in this browser, or under an IP address.</p>
        )}
        <Problem error={change.error} />
      </div>
    </section>
  );
}

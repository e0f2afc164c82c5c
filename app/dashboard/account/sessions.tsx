'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { callAuth } from '../../account/call-auth.ts';
import { formatMoment } from '../../ui/dates.ts';
import styles from '../parts/dashboard.module.css';
import { Problem } from '../parts/problem.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';

interface Session {
  readonly id: string;
  readonly token: string;
  readonly createdAt: string;
  readonly ipAddress?: string | null;
  readonly userAgent?: string | null;
}

/** Browsers that are signed in. Any but this one can be signed out. */
export function Sessions() {
  const calls = useTrpc();
  const { data: me } = useQuery(calls.account.me.queryOptions());
  const { data = [] } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => callAuth<Session[]>('/list-sessions'),
  });
  const end = useMutation({
    mutationFn: (request: Parameters<typeof callAuth>) => callAuth(...request),
  });
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Signed-in browsers</h2>
      <ul className={styles.list}>
        {data.map(({ id, token, createdAt, ipAddress, userAgent }) => (
          <li key={id}>
            <div className={styles.line}>
              <p>
                {browserName(userAgent)}{' '}
                <span className="note">
                  {ipAddress} · since {formatMoment(createdAt)}
                </span>
              </p>
              {id === me?.sessionId ? (
                <span className={styles.state} data-tone="good">
                  this browser
                </span>
              ) : (
                <button
                  type="button"
                  className="button"
                  onClick={() => end.mutate(['/revoke-session', { token }])}
                >
                  Sign out browser
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {data.length > 1 && (
        <div>
          <button type="button" className="button" onClick={() => end.mutate(['/revoke-other-sessions', {}])}>
            Sign out other browsers
          </button>
        </div>
      )}
      <Problem error={end.error} />
    </section>
  );
}

/** Names a browser by its user agent, roughly. */
function browserName(userAgent: string | null | undefined): string {
  const names = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'];
  const found = names.find((name) => userAgent?.includes(`${name}/`)) ?? 'Unknown browser';
  const system = /Windows|Mac OS X|Android|iPhone|Linux/.exec(userAgent ?? '')?.[0];
  const name = { Edg: 'Edge', OPR: 'Opera' }[found] ?? found;
  return system ? `${name} on ${system}` : name;
}

'use client';

import { useQuery } from '@tanstack/react-query';
import { formatMoment } from '../../ui/dates.ts';
import styles from '../parts/dashboard.module.css';
import { useTrpc } from '../parts/trpc-client.tsx';

/** Self-hosted workers of the account, where there are any: when each was last seen, and what it runs. */
export function Workers() {
  const { data: workers = [] } = useQuery({
    ...useTrpc().jobs.workers.queryOptions(),
    refetchInterval: 10_000,
  });
  if (workers.length === 0) return null;
  return (
    <section aria-labelledby="workers">
      <h2 id="workers">Self-hosted workers</h2>
      <ul className={styles.list}>
        {workers.map(({ name, last_seen_at, jobs }) => (
          <li key={name}>
            <p>
              {name} <span className="note">last seen {formatMoment(last_seen_at)}</span>
            </p>
            {jobs.map((id) => (
              <p key={id} className="facts">
                {id}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

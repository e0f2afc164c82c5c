'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { formatBytes } from '../../ui/quantities.ts';
import styles from './device.module.css';

interface ServerDownloadsProps {
  /** Weights that the server is fetching, in bytes; `bytesTotal` is null where it is unknown. */
  readonly downloads: readonly {
    readonly id: string;
    readonly bytes: number;
    readonly bytesTotal: number | null;
  }[];
}

const REFRESH_MS = 3000;

/** Shows how far the server's downloads of models are, until the last one has ended. */
export function ServerDownloads({ downloads }: ServerDownloadsProps) {
  const { refresh } = useRouter();
  const isFetching = downloads.length > 0;
  useEffect(() => {
    if (!isFetching) return;
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isFetching, refresh]);
  if (!isFetching) return null;
  return (
    <section aria-labelledby="server-downloads">
      <h2 id="server-downloads">Models on their way to our server</h2>
      <p className={styles.lead}>
        Until they are there, the server uses the models that came with it. Your device keeps its own.
      </p>
      <dl className={styles.facts}>
        {downloads.map(({ id, bytes, bytesTotal }) => (
          <div key={id}>
            <dt>{id}</dt>
            <dd>
              <strong className="facts">
                {formatBytes(bytes)}
                {bytesTotal !== null && ` of ${formatBytes(bytesTotal)}`}
              </strong>
              <progress
                aria-label={`Download of ${id}`}
                value={bytesTotal ? bytes / bytesTotal : undefined}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

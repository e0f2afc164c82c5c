'use client';

import { useQuery } from '@tanstack/react-query';
import { formatBytes, formatSeconds } from '../../text/quantities.ts';
import styles from '../parts/dashboard.module.css';
import { formatMoment } from '../parts/format.ts';
import sumsStyles from '../parts/sums.module.css';
import tableStyles from '../parts/table.module.css';
import { useTrpc } from '../parts/trpc-client.tsx';
import healthStyles from './health.module.css';
import { HealthMachines } from './health-machines.tsx';
import { type HealthState, healthProblems, taskName } from './health-problems.ts';
import { HealthWork } from './health-work.tsx';

const REFRESH_MS = 5_000;

/** The state of the whole service, for its owner; it refreshes by itself. */
export function Health() {
  const calls = useTrpc();
  const { data, error, dataUpdatedAt } = useQuery(
    calls.health.overview.queryOptions(undefined, { refetchInterval: REFRESH_MS }),
  );
  if (!data) return error ? <p role="alert">{error.message}</p> : <p role="status">Loading…</p>;
  return (
    <>
      {error && <p role="alert">The state below is old: {error.message}</p>}
      <Problems health={data} atMs={dataUpdatedAt} />
      <Sums health={data} />
      <HealthMachines health={data} />
      <HealthWork health={data} />
      <ScheduledTasks scheduledTasks={data.scheduledTasks} />
      <Settings health={data} />
    </>
  );
}

function Problems({ health, atMs }: { readonly health: HealthState; readonly atMs: number }) {
  const problems = healthProblems(health, atMs);
  return (
    <section aria-label="Problems">
      <div role="status">
        {problems.length === 0 ? (
          <p className={styles.state} data-tone="good">
            Everything works
          </p>
        ) : (
          <ul className={styles.list}>
            {problems.map(({ tone, text }) => (
              <li key={text}>
                <span className={healthStyles.alarm} data-tone={tone}>
                  {text}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className={styles.small}>
        As of {formatMoment(new Date(atMs).toISOString())}, refreshed every 5 seconds.
      </p>
    </section>
  );
}

function Sums({ health: { lanes, failures, stored, database } }: { readonly health: HealthState }) {
  const jobs = lanes.filter(({ lane }) => lane !== 'delivery');
  const sums = {
    'Jobs waiting': jobs.reduce((sum, { waiting }) => sum + waiting, 0),
    'Jobs running': jobs.reduce((sum, { taken }) => sum + taken, 0),
    'Failures, last hour': failures.reduce((sum, { lastHour }) => sum + lastHour, 0),
    [stored.place === 's3' ? 'Stored in the bucket' : 'Stored on disk']: formatBytes(stored.bytes),
    Database: formatBytes(database.bytes),
  };
  return (
    <dl className={sumsStyles.sum}>
      {Object.entries(sums).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function ScheduledTasks({ scheduledTasks }: Pick<HealthState, 'scheduledTasks'>) {
  return (
    <section aria-labelledby="scheduled-tasks">
      <h2 id="scheduled-tasks">Regular work</h2>
      {scheduledTasks.length === 0 && <p>Nothing has run yet.</p>}
      <table className={tableStyles.table}>
        <caption className="sr-only">Last run of each regular work</caption>
        <tbody>
          {scheduledTasks.map(({ name, endedAt, durationMs, fault }) => (
            <tr key={name}>
              <td>
                {taskName(name)} <span className={styles.small}>{formatSeconds(durationMs / 1000)}</span>
              </td>
              <td className={tableStyles.number}>
                <span className={styles.state} data-tone={fault === null ? 'good' : 'bad'}>
                  {fault === null ? 'done' : 'failed'}
                </span>
              </td>
              <td className={styles.small}>{formatMoment(endedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Settings({ health: { settings, stored, database } }: { readonly health: HealthState }) {
  const rows = {
    'Mail (SMTP_URL)': settings.mail ? 'configured' : 'links are written to the log',
    'Payments (Stripe)': settings.stripe ? 'configured' : 'not configured',
    Files: stored.place === 's3' ? 'S3-compatible bucket' : 'disk of DATA_DIR',
    Database: `PostgreSQL ${database.version}, ${database.connections} of ${database.connectionsMax} connections`,
    'Model downloads': settings.downloads ? 'allowed' : 'off (MODELS_OFFLINE)',
    'Metrics (METRICS_TOKEN)': settings.metrics ? 'on' : 'off',
    'Traces (OpenTelemetry)': settings.tracing ? 'on' : 'off',
  };
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <table className={tableStyles.table}>
        <caption className="sr-only">Settings of this web process</caption>
        <tbody>
          {Object.entries(rows).map(([name, value]) => (
            <tr key={name}>
              <td>{name}</td>
              <td className={tableStyles.answer}>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

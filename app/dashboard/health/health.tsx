'use client';

import { useQuery } from '@tanstack/react-query';
import { formatMoment } from '../../ui/dates.ts';
import { formatBytes, formatSeconds } from '../../ui/quantities.ts';
import styles from '../parts/dashboard.module.css';
import { formatTimeSpan, modelName } from '../parts/format.ts';
import sumsStyles from '../parts/sums.module.css';
import tableStyles from '../parts/table.module.css';
import { useTrpc } from '../parts/trpc-client.tsx';
import healthStyles from './health.module.css';
import { type HealthState, healthProblems, taskName } from './health-problems.ts';
import { HealthWork } from './health-work.tsx';

interface HealthProps {
  readonly health: HealthState;
}

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
      <p className={styles.small}>As of {formatMoment(new Date(atMs))}, refreshed every 5 seconds.</p>
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
              <td className={tableStyles.reply}>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Processes over all machines, and the models that they have. */
function HealthMachines({ health }: HealthProps) {
  return (
    <>
      <section aria-labelledby="processes">
        <h2 id="processes">Processes</h2>
        <ul className={styles.list}>
          {health.processes.map((process) => (
            <Process key={process.id} process={process} />
          ))}
        </ul>
      </section>
      <Models models={health.models} />
    </>
  );
}

function Process({ process }: { readonly process: HealthState['processes'][number] }) {
  const { part, host, pid, startedAt, silentSeconds, isAlive, facts } = process;
  const { fetching = [], evicted = [], weightBytes, weightBytesMax } = facts;
  const { cores, load, residentBytes, freeMemoryBytes, memoryBytes, freeDiskBytes, diskBytes } = facts;
  const versions = Object.entries(facts.versions).map(([name, version]) => `${name} ${version}`);
  return (
    <li>
      <div className={styles.line}>
        <p>
          <b>{part}</b> on {host} <span className={styles.small}>process {pid}</span>
        </p>
        <span className={styles.state} data-tone={isAlive ? 'good' : 'bad'}>
          {isAlive
            ? `seen ${formatTimeSpan(silentSeconds)} ago`
            : `silent since ${formatTimeSpan(silentSeconds)}`}
        </span>
      </div>
      <p className={styles.small}>
        {cores} cores, load {load.toFixed(1)} · uses {formatBytes(residentBytes)},{' '}
        {formatBytes(freeMemoryBytes)} of {formatBytes(memoryBytes)} memory free ·{' '}
        {formatBytes(freeDiskBytes)} of {formatBytes(diskBytes)} disk free
      </p>
      <p className={styles.small}>
        since {formatMoment(startedAt)} · {versions.join(', ')}
        {facts.isolation && ` · isolation of children: ${facts.isolation}`}
      </p>
      {weightBytes !== undefined && weightBytesMax !== undefined && (
        <p className={styles.small}>
          downloaded models: {formatBytes(weightBytes)} of at most {formatBytes(weightBytesMax)}
        </p>
      )}
      {evicted.map(({ id, bytes, at }) => (
        <p key={id} className={styles.small}>
          {id} ({formatBytes(bytes)}) was deleted on {formatMoment(at)} to make room for other models.
        </p>
      ))}
      {fetching.map(({ id, bytes, bytesTotal }) => (
        <p key={id} className={styles.small}>
          fetching {id}: {formatBytes(bytes)}
          {bytesTotal !== null && ` of ${formatBytes(bytesTotal)}`}
        </p>
      ))}
    </li>
  );
}

function Models({ models }: Pick<HealthState, 'models'>) {
  const usable = models.filter(({ isServed, hosts }) => isServed || hosts > 0);
  return (
    <section aria-labelledby="models">
      <h2 id="models">Models</h2>
      <p className={styles.small}>
        {usable.length} of {models.length} are available without a download.
      </p>
      <details>
        <summary>List of models</summary>
        <table className={tableStyles.table}>
          <caption className="sr-only">Models, by operation</caption>
          <tbody>
            {models.map(({ id, operationId, bytes: size, isBundled, isServed, hosts }) => (
              <tr key={id}>
                <td>
                  {id} <span className={styles.small}>{modelName(operationId)}</span>
                </td>
                <td className={tableStyles.number}>{size === null ? 'size unknown' : formatBytes(size)}</td>
                <td className={styles.small}>
                  {isServed ? 'on an inference server' : isBundled ? 'bundled' : place(hosts)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function place(hosts: number): string {
  return hosts === 0 ? 'not downloaded' : `on ${hosts} ${hosts === 1 ? 'machine' : 'machines'}`;
}

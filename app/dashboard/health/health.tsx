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
/** From here on the duration of scheduled work is worth its words. */
const SLOW_MS = 1_000;

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
      <p className="note">{formatMoment(new Date(atMs))}</p>
    </section>
  );
}

function Sums({ health: { lanes, failures, stored, database } }: { readonly health: HealthState }) {
  const jobs = lanes.filter(({ lane }) => lane !== 'delivery');
  const sums = {
    'Jobs waiting': jobs.reduce((sum, { waiting }) => sum + waiting, 0),
    'Jobs running': jobs.reduce((sum, { taken }) => sum + taken, 0),
    'Failures, last day': failures.reduce((sum, { lastDay }) => sum + lastDay, 0),
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
      <table className={tableStyles.table} aria-labelledby="scheduled-tasks">
        <tbody>
          {scheduledTasks.map(({ name, endedAt, durationMs, fault }) => (
            <tr key={name}>
              <td>
                {taskName(name)}{' '}
                {durationMs >= SLOW_MS && <span className="note">{formatSeconds(durationMs / 1000)}</span>}
              </td>
              <td className={tableStyles.reply}>
                {fault !== null && (
                  <span className={styles.state} data-tone="bad">
                    failed
                  </span>
                )}{' '}
                {formatMoment(endedAt)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Settings({ health: { settings, database } }: { readonly health: HealthState }) {
  const rows = {
    Mail: settings.mail ? 'SMTP' : 'in the log',
    Payments: settings.stripe ? 'Stripe' : 'off',
    Database: `PostgreSQL ${database.version}, ${database.connections} of ${database.connectionsMax} connections`,
    'Model downloads': settings.downloads ? 'on' : 'off',
    Metrics: settings.metrics ? 'on' : 'off',
    Traces: settings.tracing ? 'on' : 'off',
  };
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <table className={tableStyles.table} aria-labelledby="settings">
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

type Process = HealthState['processes'][number];

/** Machines with their processes, and the models that they have. */
function HealthMachines({ health }: HealthProps) {
  const hosts = [...new Set(health.processes.map(({ host }) => host))];
  return (
    <>
      <section aria-labelledby="machines">
        <h2 id="machines">Machines</h2>
        {hosts.map((host) => (
          <Machine
            key={host}
            host={host}
            processes={health.processes.filter((process) => process.host === host)}
          />
        ))}
      </section>
      <Models models={health.models} />
    </>
  );
}

function Machine({ host, processes }: { readonly host: string; readonly processes: readonly Process[] }) {
  const { facts } = processes.find(({ isAlive }) => isAlive) ?? processes[0] ?? {};
  if (!facts) return null;
  const { cores, load, freeMemoryBytes, memoryBytes, freeDiskBytes, diskBytes } = facts;
  const { weightBytes, weightBytesMax, fetching = [], evicted = [] } = facts;
  const news = [
    ...evicted.map(
      ({ id, bytes, at }) =>
        `${id} (${formatBytes(bytes)}) made room for other models on ${formatMoment(at)}`,
    ),
    ...fetching.map(
      ({ id, bytes, bytesTotal }) =>
        `fetching ${id}: ${formatBytes(bytes)}${bytesTotal === null ? '' : ` of ${formatBytes(bytesTotal)}`}`,
    ),
  ];
  return (
    <div className={healthStyles.machine}>
      <h3>{host}</h3>
      <dl className={healthStyles.facts}>
        <Fact name="Load" value={`${load.toFixed(1)} of ${cores}`} />
        <Fact name="Memory free" value={`${formatBytes(freeMemoryBytes)} of ${formatBytes(memoryBytes)}`} />
        <Fact name="Disk free" value={`${formatBytes(freeDiskBytes)} of ${formatBytes(diskBytes)}`} />
        {weightBytes !== undefined && weightBytesMax !== undefined && (
          <Fact name="Downloads" value={`${formatBytes(weightBytes)} of ${formatBytes(weightBytesMax)}`} />
        )}
      </dl>
      {news.map((text) => (
        <p key={text} className="note">
          {text}
        </p>
      ))}
      <ul className={styles.list}>
        {processes.map((process) => (
          <ProcessRow key={process.id} process={process} />
        ))}
      </ul>
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function ProcessRow({ process }: { readonly process: Process }) {
  const { part, pid, startedAt, silentSeconds, isAlive, facts } = process;
  const versions = Object.entries(facts.versions).map(([name, version]) => `${name} ${version}`);
  return (
    <li>
      <div className={styles.line}>
        <p>
          <b>{part}</b>{' '}
          <span className="note">
            {pid} · {formatBytes(facts.residentBytes)}
          </span>
        </p>
        <span className={styles.state} data-tone={isAlive ? 'good' : 'bad'}>
          {isAlive ? 'alive' : `silent since ${formatTimeSpan(silentSeconds)}`}
        </span>
      </div>
      <details>
        <summary>since {formatMoment(startedAt)}</summary>
        <p className="note">
          {versions.join(', ')}
          {facts.isolation && ` · isolation of children: ${facts.isolation}`}
        </p>
      </details>
    </li>
  );
}

function Models({ models }: Pick<HealthState, 'models'>) {
  const usable = models.filter(({ isServed, hosts }) => isServed || hosts > 0);
  return (
    <section aria-labelledby="models">
      <h2 id="models">Models</h2>
      <details>
        <summary>
          {usable.length} of {models.length} are here
        </summary>
        <table className={tableStyles.table} aria-labelledby="models">
          <tbody>
            {models.map(({ id, operationId, bytes: size, isBundled, isServed, hosts }) => (
              <tr key={id}>
                <td>
                  {id} <span className="note">{modelName(operationId)}</span>
                </td>
                <td className={tableStyles.number}>{size === null ? 'size unknown' : formatBytes(size)}</td>
                <td className="note">
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

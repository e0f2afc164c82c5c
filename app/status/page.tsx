import type { Metadata } from 'next';
import { OPERATIONS } from '../../models/registry.ts';
import { type Incident, readStatus, type ServiceStatus } from '../../server/ops/status/index.ts';
import { getWebContext } from '../../server/ops/web-context.ts';
import styles from './status.module.css';

export const metadata: Metadata = {
  title: 'Status',
  description: 'Whether the service is up, how fast jobs are, how long the queue is, and incidents.',
};
/** Renders for each request, because the status changes between two of them. */
export const dynamic = 'force-dynamic';

const STATES: Readonly<Record<ServiceStatus['state'], string>> = {
  up: 'The service is up.',
  degraded: 'The service is degraded: no runner works on jobs now. Requests are accepted and wait.',
  down: 'The service is down: its database cannot be reached.',
};

/** Public state of the service. */
export default async function StatusPage() {
  const status = await readStatus(await getWebContext());
  return (
    <div className={styles.page}>
      <h1>Status</h1>
      <p className={styles.state} data-state={status.state}>
        {STATES[status.state]}
      </p>
      <p className="facts">
        {formatTime(status.at)}
        {status.databaseMs !== null && ` · database ${status.databaseMs} ms`}
      </p>
      <Latency status={status} />
      <Queue status={status} />
      <Incidents incidents={status.incidents} />
    </div>
  );
}

function Latency({ status: { latencies } }: { readonly status: ServiceStatus }) {
  return (
    <section aria-labelledby="latency">
      <h2 id="latency">Latency</h2>
      <p>From the acceptance of a job to its end, over the last 24 hours. Tests are left out.</p>
      {latencies.length === 0 && <p>No job has completed.</p>}
      {latencies.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col">Jobs</th>
              <th scope="col">Median</th>
              <th scope="col">95 %</th>
            </tr>
          </thead>
          <tbody>
            {latencies.map(({ operationId, jobs, median, high }) => (
              <tr key={operationId}>
                <td>{titleOf(operationId)}</td>
                <td>{jobs}</td>
                <td>{median} s</td>
                <td>{high} s</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Names an operation as every page does; one that is gone since by its id. */
function titleOf(operationId: string): string {
  return Object.values(OPERATIONS).find(({ id }) => id === operationId)?.title ?? operationId;
}

function Queue({ status: { lanes } }: { readonly status: ServiceStatus }) {
  return (
    <section aria-labelledby="queue">
      <h2 id="queue">Queue age</h2>
      <p>How long the first entry of each lane has waited.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Lane</th>
            <th scope="col">Age</th>
          </tr>
        </thead>
        <tbody>
          {lanes.map(({ lane, oldestSeconds }) => (
            <tr key={lane}>
              <td>{lane}</td>
              <td>{oldestSeconds} s</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Incidents({ incidents }: { readonly incidents: readonly Incident[] }) {
  return (
    <section aria-labelledby="incidents">
      <h2 id="incidents">Incidents</h2>
      {incidents.length === 0 && <p>None were reported.</p>}
      <ul>
        {incidents.map(({ id, title, startedAt, endedAt }) => (
          <li key={id}>
            {title}{' '}
            <span className="facts">
              {formatTime(startedAt)} {endedAt ? `to ${formatTime(endedAt)}` : 'and still going on'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Formats a moment in UTC, which is the same for every reader. */
function formatTime(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

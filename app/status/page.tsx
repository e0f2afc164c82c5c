import type { Metadata } from 'next';
import { OPERATIONS } from '../../models/registry.ts';
import {
  type Incident,
  readStatus,
  type ServiceStatus,
  UPTIME_DAYS,
  uptimeShare,
} from '../../server/ops/status.ts';
import { getWebContext } from '../../server/ops/web-context.ts';
import { formatUtc } from '../ui/dates.ts';
import styles from './status.module.css';

export const metadata: Metadata = {
  title: 'Status',
  description: 'Whether the service is up, its uptime, incidents, and how long jobs take.',
};
/** Renders for each request, because the status changes between two of them. */
export const dynamic = 'force-dynamic';

const STATES: Readonly<Record<ServiceStatus['state'], string>> = {
  up: 'All systems work.',
  degraded: 'Jobs are delayed. Requests are accepted and wait.',
  down: 'The service is down. The tools in your browser still work.',
};

/** Public state of the service. */
export default async function StatusPage() {
  const status = await readStatus(await getWebContext());
  return (
    <div className={styles.page}>
      <h1>Status</h1>
      <div>
        <p className={styles.state} data-state={status.state}>
          {STATES[status.state]}
        </p>
        <p className={styles.time}>{formatUtc(status.at)}</p>
      </div>
      {status.state !== 'down' && <Uptime status={status} />}
      <Incidents incidents={status.incidents} />
      <Latency status={status} />
    </div>
  );
}

function Uptime({ status }: { readonly status: ServiceStatus }) {
  const percent = (uptimeShare(status.incidents, status) * 100).toFixed(2);
  return (
    <section aria-labelledby="uptime">
      <h2 id="uptime">Uptime</h2>
      <p>
        <b className="facts">{percent} %</b> of the last {UPTIME_DAYS} days
      </p>
    </section>
  );
}

function Latency({ status: { latencies } }: { readonly status: ServiceStatus }) {
  if (latencies.length === 0) return null;
  return (
    <section aria-labelledby="latency">
      <h2 id="latency">How long jobs take</h2>
      <table aria-labelledby="latency">
        <thead>
          <tr>
            <th scope="col">Last 24 hours</th>
            <th scope="col">Usually</th>
            <th scope="col">95 % within</th>
          </tr>
        </thead>
        <tbody>
          {latencies.map(({ operationId, median, high }) => (
            <tr key={operationId}>
              <td>{getTitle(operationId)}</td>
              <td>{median} s</td>
              <td>{high} s</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Names an operation as every page does; one that is gone since by its id. */
function getTitle(operationId: string): string {
  return Object.values(OPERATIONS).find(({ id }) => id === operationId)?.title ?? operationId;
}

function Incidents({ incidents }: { readonly incidents: readonly Incident[] }) {
  return (
    <section aria-labelledby="incidents">
      <h2 id="incidents">Incidents</h2>
      {incidents.length === 0 && <p>None.</p>}
      <ul>
        {incidents.map(({ id, title, startedAt, endedAt }) => (
          <li key={id}>
            {title}{' '}
            <span className="facts">
              {formatUtc(startedAt)} {endedAt ? `to ${formatUtc(endedAt)}` : '· ongoing'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

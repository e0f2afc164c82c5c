import { formatMoment } from '../../ui/dates.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { formatCount } from '../../ui/quantities.ts';
import styles from '../parts/dashboard.module.css';
import { formatTimeSpan, modelName } from '../parts/format.ts';
import tableStyles from '../parts/table.module.css';
import type { HealthState } from './health-problems.ts';

interface HealthProps {
  readonly health: HealthState;
}

/** Queue, running jobs, failures and webhook deliveries of all accounts, where there are any. */
export function HealthWork({ health }: HealthProps) {
  return (
    <>
      <Queue lanes={health.lanes} />
      <Running running={health.running} />
      <Failures failures={health.failures} />
      <Webhooks health={health} />
    </>
  );
}

const LANE_NAMES: Readonly<Record<string, string>> = {
  delivery: 'webhook deliveries',
  output: 'results to own buckets',
  own: 'jobs for self-hosted workers',
};

function Queue({ lanes }: Pick<HealthState, 'lanes'>) {
  const busy = lanes.filter(({ waiting, taken }) => waiting + taken > 0);
  if (busy.length === 0) return null;
  return (
    <section aria-labelledby="queue">
      <h2 id="queue">Queue</h2>
      <table className={tableStyles.table} aria-labelledby="queue">
        <tbody>
          {busy.map(({ lane, waiting, taken, oldestSeconds }) => (
            <tr key={lane}>
              <td>{LANE_NAMES[lane] ?? lane}</td>
              <td className={tableStyles.number}>{waiting} waiting</td>
              <td className="note">{waiting > 0 && `the oldest for ${formatTimeSpan(oldestSeconds)}`}</td>
              <td className={tableStyles.number}>{taken} running</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Running({ running }: Pick<HealthState, 'running'>) {
  if (running.length === 0) return null;
  return (
    <section aria-labelledby="running">
      <h2 id="running">Running jobs</h2>
      <ul className={styles.list}>
        {running.map(({ id, operationId, attempt, progress, startedAt }) => (
          <li key={id}>
            <div className={styles.line}>
              <p>
                {modelName(operationId)} <span className="facts note">{id}</span>
              </p>
              <span className="facts">{Math.round(progress * 100)} %</span>
            </div>
            <ProgressLine fraction={progress} label={`Progress of ${id}`} />
            <p className="note">
              attempt {attempt}
              {startedAt && `, since ${formatMoment(startedAt)}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Failures({ failures }: Pick<HealthState, 'failures'>) {
  if (failures.length === 0) return null;
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">Failures of the last day</h2>
      <table className={tableStyles.table} aria-labelledby="failures">
        <tbody>
          {failures.map(({ operationId, status, code, lastHour, lastDay }) => (
            <tr key={`${operationId} ${status} ${code}`}>
              <td>
                {modelName(operationId)} <span className="facts">{code ?? 'no code'}</span>
              </td>
              <td className={tableStyles.number}>{formatCount(lastDay, 'job')}</td>
              <td>
                <span className={styles.state} data-tone={status === 'ERROR' ? 'bad' : 'muted'}>
                  {status === 'ERROR' ? 'our fault' : 'the input’s fault'}
                </span>
              </td>
              <td className={tableStyles.number}>{lastHour} in the last hour</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Webhooks({ health: { deliveries, failingHosts } }: HealthProps) {
  const { delivered = 0, pending = 0, failed = 0 } = deliveries;
  if (delivered + pending + failed === 0) return null;
  return (
    <section aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks of the last day</h2>
      <p>
        {delivered} delivered, {pending} on their way, {failed} given up.
      </p>
      {failingHosts.length > 0 && (
        <table className={tableStyles.table}>
          <caption className="sr-only">Failing endpoints</caption>
          <tbody>
            {failingHosts.map(({ host, pending: retried, failed: given, lastFault }) => (
              <tr key={host}>
                <td>
                  {host} <span className="note">{lastFault}</span>
                </td>
                <td className={tableStyles.number}>{retried} tried again</td>
                <td className={tableStyles.number}>{given} given up</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

import { formatBytes } from '../../text/quantities.ts';
import styles from '../parts/dashboard.module.css';
import { formatMoment, formatTimeSpan, modelName } from '../parts/format.ts';
import tableStyles from '../parts/table.module.css';
import type { HealthState } from './health-problems.ts';

interface HealthProps {
  readonly health: HealthState;
}

/** Processes over all machines, and the models that they have. */
export function HealthMachines({ health }: HealthProps) {
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

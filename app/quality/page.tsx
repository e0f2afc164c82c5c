import type { Metadata } from 'next';
import type { z } from 'zod';
import { OPERATIONS } from '../../models/registry.ts';
import { describeInstallation, type engineSchema } from '../../server/api/routes/list-engines.ts';
import { getWebContext } from '../../server/ops/web-context.ts';
import { formatBytes } from '../ui/quantities.ts';
import styles from './quality.module.css';

type Engine = z.output<typeof engineSchema>;

const COMMERCIAL: Readonly<Record<Engine['commercial'], string>> = {
  yes: 'commercial use allowed',
  unclear: 'commercial use unclear',
  no: 'no commercial use',
};

export const metadata: Metadata = {
  title: 'Quality',
  description: 'How well each engine of this installation does on samples with known results.',
};

/** It tells what this installation has measured so far. */
export const dynamic = 'force-dynamic';

export default async function QualityPage() {
  const { engines } = await describeInstallation(await getWebContext());
  return (
    <div className={styles.page}>
      <h1>Quality</h1>
      <p>
        Each engine with weights runs on samples with known results, the same for all engines of an operation:
        for cutouts and verdicts people, animals, things and an empty picture, else a picture, a conversation
        or a song. One that misses its floor is not used. Time and memory are those of this machine.
      </p>
      <Board engines={engines} />
      <p>
        <code>GET /api/v2/engines</code> returns the same as JSON.
      </p>
    </div>
  );
}

/** Engines by operation, with what this installation has measured. */
function Board({ engines }: { readonly engines: readonly Engine[] }) {
  return Object.values(OPERATIONS).map(({ id, title }) => {
    const own = engines.filter(({ model_id }) => model_id === id);
    if (own.length === 0) return null;
    return (
      <section key={id} aria-labelledby={id}>
        <h2 id={id}>{title}</h2>
        <table className={styles.board}>
          <thead>
            <tr>
              <th scope="col">Engine</th>
              <th scope="col">Figure</th>
              <th scope="col">Time</th>
              <th scope="col">Memory</th>
              <th scope="col">Licence</th>
            </tr>
          </thead>
          <tbody>
            {own.map((engine) => (
              <Row key={engine.id} engine={engine} />
            ))}
          </tbody>
        </table>
      </section>
    );
  });
}

function Row({
  engine: { id, acceptance, available, reason, licence, commercial },
}: {
  readonly engine: Engine;
}) {
  return (
    <tr>
      <th scope="row">
        <code>{id}</code>
        {!available && <small>{reason}</small>}
      </th>
      <td data-column="Figure">
        {acceptance ? (
          <>
            {acceptance.figure} {acceptance.measure}
            <small>
              {acceptance.passed ? 'passed' : 'failed'}, {acceptance.lower_is_better ? 'at most' : 'at least'}{' '}
              {acceptance.floor}
            </small>
          </>
        ) : (
          'not measured'
        )}
      </td>
      <td data-column="Time">{acceptance && `${acceptance.seconds.toFixed(2)} s for a ${acceptance.per}`}</td>
      <td data-column="Memory">{acceptance && formatBytes(acceptance.memory_bytes)}</td>
      <td data-column="Licence">
        {licence}
        <small>{COMMERCIAL[commercial]}</small>
      </td>
    </tr>
  );
}

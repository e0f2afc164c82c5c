import type { z } from 'zod';
import { OPERATIONS } from '../../../models/registry.ts';
import { describeInstallation, type engineSchema } from '../../../server/api/routes/list-engines.ts';
import type { Context } from '../../../server/base/context.ts';
import { formatBytes } from '../../ui/quantities.ts';
import styles from './engine-board.module.css';

type Engine = z.output<typeof engineSchema>;

const COMMERCIAL: Readonly<Record<Engine['commercial'], string>> = {
  yes: '',
  unclear: 'commercial use unclear',
  no: 'no commercial use',
};

/** Engines by operation, with what this installation has measured, and why others are not available. */
export async function EngineBoard({ ctx }: { readonly ctx: Context }) {
  const { engines } = await describeInstallation(ctx);
  return (
    <section aria-labelledby="engines">
      <h2 id="engines">Engines</h2>
      <p>Measured on samples. One below its floor is not used.</p>
      {Object.values(OPERATIONS).map(({ id, title }) => {
        const own = engines.filter(({ model_id }) => model_id === id);
        return own.length > 0 && <Board key={id} title={title} engines={own} />;
      })}
    </section>
  );
}

function Board({ title, engines }: { readonly title: string; readonly engines: readonly Engine[] }) {
  return (
    <details>
      <summary>{title}</summary>
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
          {engines.map((engine) => (
            <Row key={engine.id} engine={engine} />
          ))}
        </tbody>
      </table>
    </details>
  );
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

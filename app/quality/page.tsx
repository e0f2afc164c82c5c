import type { Metadata } from 'next';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import { listOwnEngines } from '../../models/core/runtime/fit.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { getWebContext } from '../../server/ops/web-context.ts';
import { AcceptanceStore, type StoredAcceptance } from '../../server/runtime/acceptance/index.ts';
import { findEngineAvailability } from '../../server/runtime/inference/engine-availability.ts';
import styles from './quality.module.css';

interface MeasuredModel {
  readonly title: string;
  readonly name: string;
  readonly measured: StoredAcceptance;
}

/** Writes the figure of each measure, and says what it means. */
const MEASURES: Readonly<Record<string, readonly [write: (figure: number) => string, meaning: string]>> = {
  IoU: [percent, 'of the subject’s area is right'],
  PSNR: [decibels, 'likeness to the original'],
  'SI-SDR': [decibels, 'how clean the stems are'],
  DER: [percent, 'of the speech has the wrong speaker'],
  'probability of the right label': [percent, 'sure of the right verdict'],
};

export const metadata: Metadata = {
  title: 'Quality',
  description: 'How well the models do on samples with known results.',
};

/** It tells what this installation has measured so far. */
export const dynamic = 'force-dynamic';

/** Shows how well the models that requests may use do on our samples. */
export default async function QualityPage() {
  const models = await listMeasured();
  return (
    <div className={styles.page}>
      <h1>Quality</h1>
      {models.length === 0 ? (
        <p>The models are being measured. Look again in some minutes.</p>
      ) : (
        <>
          <p>Measured here, on samples with known results. A model that does badly is not used.</p>
          <Board models={models} />
        </>
      )}
    </div>
  );
}

async function listMeasured(): Promise<readonly MeasuredModel[]> {
  const ctx = await getWebContext();
  const store = new AcceptanceStore(ctx.env);
  const measured = await Promise.all(
    Object.values<Operation>(OPERATIONS).flatMap(({ id, title, ...operation }) =>
      listOwnEngines(operation).map(async (engine): Promise<readonly MeasuredModel[]> => {
        const [measured, { isAvailable }] = await Promise.all([
          store.read(id, engine),
          findEngineAvailability(ctx, engine),
        ]);
        return measured?.passed && isAvailable ? [{ title, name: engine.name, measured }] : [];
      }),
    ),
  );
  return measured.flat();
}

function Board({ models }: { readonly models: readonly MeasuredModel[] }) {
  return (
    <table className={styles.board}>
      <thead>
        <tr>
          <th scope="col">Tool</th>
          <th scope="col">Result</th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
        {models.map(({ title, name, measured: { measure, figure, seconds, per } }) => {
          const [write = String, meaning = measure] = MEASURES[measure] ?? [];
          return (
            <tr key={`${title} ${name}`}>
              <th scope="row">
                {title} <small>{name}</small>
              </th>
              <td>
                <span className="facts">{write(figure)}</span> <small>{meaning}</small>
              </td>
              <td>
                <span className="facts">{formatTime(seconds)}</span> <small>for a {per}</small>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function decibels(figure: number): string {
  return `${figure.toFixed(1)} dB`;
}

function formatTime(seconds: number): string {
  return seconds < 0.095 ? `${Math.ceil(1000 * seconds)} ms` : `${seconds.toFixed(1)} s`;
}

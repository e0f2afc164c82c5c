'use client';

import { Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { fitModel } from '../../../models/core/device/fit.ts';
import { type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';
import type { OperationId } from '../../../models/registry.ts';
import {
  type Capabilities,
  type GpuFacts,
  getPlacement,
  type Placement,
} from '../../../workers/device/placement.ts';
import { probeDevice } from '../../../workers/device/probe-device.ts';
import { openWeightFolder } from '../../../workers/runtime/weight-cache/weight-folder.ts';
import { describeTerms } from '../../studio/form/model.ts';
import { unfitReason } from '../../studio/runs/describe-run.ts';
import { describeStorage, type StoredWeights, useStoredWeights } from '../../studio/runs/stored-weights.ts';
import { useDevice } from '../../studio/runs/use-device.ts';
import { Waiting } from '../../studio/stage/waiting.tsx';
import { formatBytes } from '../../ui/quantities.ts';
import styles from './device.module.css';
import { StoredData } from './stored-data.tsx';

interface RowProps {
  readonly card: WeightCard;
  readonly stored: StoredWeights;
  /** Reason why the model cannot run here; undefined where it can. */
  readonly unfit: string | undefined;
  readonly onDelete: () => void;
}

interface DeviceReportProps {
  readonly operations: readonly { readonly id: OperationId; readonly title: string }[];
  /** Weights of these operations' models. */
  readonly weights: readonly WeightCard[];
  /** Shown below the report. */
  readonly children: ReactNode;
}

const WHERE: Readonly<Record<Placement['where'], string>> = {
  device: 'on this device',
  partly: 'mostly on this device',
  server: 'on our server',
};

/** Shows what this device can do, measured by probing, and what that means for each operation. */
export function DeviceReport({ operations, weights, children }: DeviceReportProps) {
  const [capabilities, setCapabilities] = useState<Capabilities>();
  const [failure, setFailure] = useState('');
  useEffect(() => {
    probeDevice().then(setCapabilities, ({ message }: Error) => setFailure(message));
  }, []);
  return (
    <div className={styles.report} aria-busy={!capabilities && !failure}>
      <header>
        <h1>This device</h1>
        <p className={styles.lead}>Tested just now in your browser. Nothing is sent.</p>
      </header>
      {failure && <p role="alert">{failure} Reload the page, or open it in another browser.</p>}
      {!capabilities && !failure && <Waiting words="Testing this device" />}
      {capabilities && (
        <>
          <Placements operations={operations} capabilities={capabilities} />
          <section aria-labelledby="has">
            <h2 id="has">Capabilities</h2>
            <dl className={styles.facts}>
              {getFacts(capabilities).map(([name, value, note]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <strong className="facts">{value}</strong>
                    {note && <span>{note}</span>}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
          <StoredData />
          <StoredModels weights={weights} />
        </>
      )}
      {children}
    </div>
  );
}

interface PlacementsProps extends Pick<DeviceReportProps, 'operations'> {
  readonly capabilities: Capabilities;
}

function Placements({ operations, capabilities }: PlacementsProps) {
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">Where things run</h2>
      <dl className={styles.facts}>
        {operations.map(({ id, title }) => {
          const { where, reason } = getPlacement(id, capabilities);
          return (
            <div key={id}>
              <dt>{title}</dt>
              <dd>
                <strong>{WHERE[where]}</strong>
                <span>{reason}</span>
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

type Fact = readonly [name: string, value: string, note?: string];

function getFacts(found: Capabilities): Fact[] {
  const { gpu, gpuMissing, memoryGb } = found;
  return [
    ['Graphics', gpu?.name ?? 'none', gpu ? gpuNote(gpu) : (gpuMissing ?? '')],
    ['Cores', String(found.coreCount)],
    found.isIsolated
      ? ['Threads', 'yes', 'The page is isolated, so threads can share memory.']
      : ['Threads', 'no', 'The page is not isolated: images run on the server, and models use one thread.'],
    ['Memory', memoryGb === null ? 'not reported' : `${memoryGb} GB or more`],
    ['File store', found.hasFileStore ? 'yes' : 'no'],
    ['Reads video', list(found.videoDecoders)],
    ['Writes video', list(found.videoEncoders)],
  ];
}

function gpuNote({ hasFloat16, bufferBytesMax }: GpuFacts): string {
  return `${hasFloat16 ? 'With' : 'Without'} 16-bit floats; up to ${formatBytes(bufferBytesMax)} at a time.`;
}

function list(names: readonly string[]): string {
  return names.length > 0 ? names.join(', ') : 'none';
}

/** Lists the tools' models: what this browser stores of each, its licence, and a button to delete it. */
function StoredModels({ weights }: { readonly weights: readonly WeightCard[] }) {
  const stored = useStoredWeights();
  const device = useDevice();
  const [said, setSaid] = useState('');
  if (stored === undefined) return null;
  return (
    <section aria-labelledby="models">
      <h2 id="models">Models on this device</h2>
      <p className={styles.lead}>
        {stored
          ? `Larger models are downloaded when you choose them, and stored in this browser: ${formatBytes(sum(stored))} so far.`
          : `This browser can't store files for this site, so models are downloaded again each time.`}
      </p>
      <ul className={styles.models}>
        {weights.map((card) => (
          <Row
            key={card.id}
            card={card}
            stored={stored}
            unfit={device && unfitReason(fitModel(card, device))?.reason}
            onDelete={async () => setSaid(await removeModel(card))}
          />
        ))}
      </ul>
      <p role="status" className={styles.said}>
        {said}
      </p>
    </section>
  );
}

function sum(stored: ReadonlyMap<string, number>): number {
  return [...stored.values()].reduce((total, size) => total + size, 0);
}

function Row({ card, stored, unfit, onDelete }: RowProps) {
  const { id, role } = card;
  return (
    <li>
      <div>
        <strong className={styles.model}>{id}</strong>
        <span className={styles.note}>{role}</span>
      </div>
      <div>
        <span className="facts">{describeStorage([card], stored)}</span>
        {unfit && <span className={styles.note}>Not on this device. {unfit}</span>}
        <span className={styles.note}>{describeTerms(card)}</span>
      </div>
      {stored?.has(weightFileName(card)) && (
        <button type="button" className="button button-icon" aria-label={`Delete ${id}`} onClick={onDelete}>
          <Trash2 size={18} strokeWidth={1.5} aria-hidden />
        </button>
      )}
    </li>
  );
}

/**
 * Deletes a model's stored files.
 * @returns the outcome, in words for the visitor
 */
async function removeModel(card: WeightCard): Promise<string> {
  try {
    await (await openWeightFolder())?.remove(weightFileName(card));
    return `${card.id} is deleted.`;
  } catch {
    return `${card.id} is being downloaded. Delete it afterwards.`;
  }
}

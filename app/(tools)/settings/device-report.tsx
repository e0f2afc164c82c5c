'use client';

import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { fitModel } from '../../../models/core/runtime/fit.ts';
import { type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';
import type { OperationId } from '../../../models/registry.ts';
import { type Capabilities, getPlacement, type Placement } from '../../../workers/device/placement.ts';
import { probeDevice } from '../../../workers/device/probe-device.ts';
import { openWeightFolder } from '../../../workers/runtime/weight-cache/weight-folder.ts';
import { describeTerms } from '../../studio/form/model.ts';
import { unfitReason } from '../../studio/runs/describe-run.ts';
import { describeStorage, type StoredWeights, useStoredWeights } from '../../studio/runs/stored-weights.ts';
import { useDevice } from '../../studio/runs/use-device.ts';
import { Waiting } from '../../studio/stage/waiting.tsx';
import { formatBytes } from '../../ui/quantities.ts';
import styles from './settings.module.css';
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
}

const WHERE: Readonly<Record<Placement['where'], string>> = {
  device: 'on this device',
  partly: 'mostly on this device',
  server: 'on our server',
};

/** Shows what this browser stores, what this device can do by probing, and where each operation runs. */
export function DeviceReport({ operations, weights }: DeviceReportProps) {
  const [capabilities, setCapabilities] = useState<Capabilities>();
  const [failure, setFailure] = useState('');
  useEffect(() => {
    probeDevice().then(setCapabilities, ({ message }: Error) => setFailure(message));
  }, []);
  return (
    <div className={styles.report} aria-busy={!capabilities && !failure}>
      {failure && <p role="alert">{failure} Reload the page, or open it in another browser.</p>}
      {!capabilities && !failure && <Waiting words="Testing this device" />}
      {capabilities && (
        <>
          <StoredData />
          <section aria-labelledby="device">
            <h2 id="device">This device</h2>
            <dl className={styles.facts}>
              <Placements operations={operations} capabilities={capabilities} />
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
          <StoredModels weights={weights} />
        </>
      )}
    </div>
  );
}

interface PlacementsProps extends Pick<DeviceReportProps, 'operations'> {
  readonly capabilities: Capabilities;
}

/** Lists where operations would run that do not simply run here, and then the others together. */
function Placements({ operations, capabilities }: PlacementsProps) {
  const placed = operations.map(({ id, title }) => ({ title, ...getPlacement(id, capabilities) }));
  const special = placed.filter(({ where, reason }) => where !== 'device' || reason !== undefined);
  return (
    <>
      {special.map(({ title, where, reason }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <strong>{WHERE[where]}</strong>
            {reason !== undefined && <span>{reason}</span>}
          </dd>
        </div>
      ))}
      {special.length < placed.length && (
        <div>
          <dt>{special.length === 0 ? 'All tools' : 'All other tools'}</dt>
          <dd>
            <strong>{WHERE.device}</strong>
          </dd>
        </div>
      )}
    </>
  );
}

type Fact = readonly [name: string, value: string, note?: string];

function getFacts(found: Capabilities): Fact[] {
  const { gpu, gpuMissing, memoryGb } = found;
  return [
    ['Graphics', gpu?.name ?? 'none', gpuMissing ?? ''],
    ['Cores', String(found.coreCount)],
    ...(found.isIsolated
      ? []
      : [['Threads', 'no', 'Models use one core, and images need our server.'] as const]),
    ...(memoryGb === null ? [] : [['Memory', `${memoryGb} GB or more`] as const]),
    ...(found.hasFileStore ? [] : [['Storage for models', 'none'] as const]),
    ['Reads video', list(found.videoDecoders)],
    ['Writes video', list(found.videoEncoders)],
  ];
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
    <section ref={scrollIfNamed} aria-labelledby="models">
      <h2 id="models">Models</h2>
      <p className={styles.lead}>
        {stored
          ? `Downloaded when you choose them: ${formatBytes(sum(stored))} so far.`
          : `This browser can't store models. They are downloaded each time.`}
      </p>
      <details className={styles.all} open={isNamed()}>
        <summary>All {weights.length} models</summary>
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
      </details>
      <p role="status" className={styles.said}>
        {said}
      </p>
    </section>
  );
}

/** Whether the address names the models, as the link to their licences does. */
function isNamed(): boolean {
  return location.hash === '#models';
}

/** Scrolls to the section that the address names: the browser has looked for it before it was there. */
function scrollIfNamed(section: HTMLElement | null): void {
  if (isNamed()) section?.scrollIntoView();
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
        <span className="note">{role}</span>
      </div>
      <div>
        <span className="facts">{describeStorage([card], stored)}</span>
        {unfit && <span className="note">Not on this device. {unfit}</span>}
        <span className="note">{describeTerms(card)}</span>
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

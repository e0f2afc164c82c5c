'use client';

import { type ReactNode, useEffect, useState } from 'react';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import type { OperationId } from '../../../models/registry.ts';
import {
  type Capabilities,
  type GpuFacts,
  type Placement,
  placementOf,
} from '../../../workers/device/placement.ts';
import { probeDevice } from '../../../workers/device/probe-device.ts';
import { Waiting } from '../../studio/stage/waiting.tsx';
import { formatBytes } from '../../text/quantities.ts';
import styles from './device.module.css';
import { StoredData } from './stored-data.tsx';
import { StoredModels } from './stored-models.tsx';

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
              {factsOf(capabilities).map(([name, value, note]) => (
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
          const { where, reason } = placementOf(id, capabilities);
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

function factsOf(found: Capabilities): Fact[] {
  const { gpu, gpuMissing, memoryGb } = found;
  return [
    ['Graphics', gpu?.name ?? 'none', gpu ? gpuNote(gpu) : (gpuMissing ?? '')],
    ['Cores', String(found.coreCount)],
    found.isIsolated
      ? ['Threads', 'yes', 'The page is isolated, so threads can share memory.']
      : ['Threads', 'no', 'The page is not isolated: runs use one thread and are slower.'],
    ['Memory', memoryGb === null ? 'not reported' : `${memoryGb} GB or more`],
    ['File store', found.hasFileStore ? 'yes' : 'no'],
    ['Decodes images', list(found.imageDecoders), 'The page’s own codecs handle the rest.'],
    ['Encodes images', list(found.imageEncoders), 'The page’s own codecs handle the rest.'],
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

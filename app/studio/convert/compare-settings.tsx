'use client';

import { useRef } from 'react';
import { formatBytes } from '../../text/quantities.ts';
import { describeSizeChange } from '../../text/size-change.ts';
import type { DoneState } from '../runs/batch.ts';
import styles from './convert.module.css';

interface CompareSettingsProps {
  readonly file: File;
  readonly result: DoneState;
  readonly held: DoneState | undefined;
  /** Names the settings of a result. */
  readonly nameOf: (state: DoneState) => string;
  /** Whether files are being converted, so that none can take another's place. */
  readonly isRunning: boolean;
  readonly onHold: () => void;
  readonly onSwap: () => void;
  readonly onDrop: () => void;
  readonly onDownload: () => void;
}

/** Holds the present result as B while the settings of A change. */
export function CompareSettings({ file, result, held, nameOf, isRunning, ...actions }: CompareSettingsProps) {
  const section = useRef<HTMLElement>(null);
  /** The pressed button goes: the focus stays here. */
  const staying = (act: () => void) => () => {
    section.current?.focus({ preventScroll: true });
    act();
  };
  const sizeOf = ({ result: { files } }: DoneState) => files.reduce((sum, { blob }) => sum + blob.size, 0);
  const side = (name: string, state: DoneState) => (
    <div>
      <dt>{name}</dt>
      <dd>
        {nameOf(state)}
        <span>
          {formatBytes(sizeOf(state))}, {describeSizeChange(file.size, sizeOf(state))}
        </span>
      </dd>
    </div>
  );
  return (
    <section ref={section} className={styles.compare} tabIndex={-1} aria-label="Compare settings">
      {held ? (
        <>
          <dl className={styles.sides}>
            {side('A', result)}
            {side('B', held)}
          </dl>
          <div className={styles.actions}>
            <button type="button" className="button" onClick={actions.onDownload}>
              Download B
            </button>
            <button type="button" className="button" disabled={isRunning} onClick={actions.onSwap}>
              Swap
            </button>
            <button type="button" className="button" onClick={staying(actions.onDrop)}>
              Drop B
            </button>
          </div>
        </>
      ) : (
        <button type="button" className="button" onClick={staying(actions.onHold)}>
          Compare with other settings
        </button>
      )}
      <p role="status" className={styles.note}>
        {held ? 'B is held. The settings above change A.' : ''}
      </p>
    </section>
  );
}

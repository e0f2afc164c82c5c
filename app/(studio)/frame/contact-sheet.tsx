'use client';

import { Download, RotateCcw, X } from 'lucide-react';
import type { BatchItem } from '../batch/batch.ts';
import { resultsOf } from '../batch/results.ts';
import { bytes, change } from '../text/quantities.ts';
import styles from './contact-sheet.module.css';
import { describeProgress } from './describe-progress.ts';
import { ProgressLine } from './progress-line.tsx';
import { Thumbnail } from './thumbnail.tsx';

interface ContactSheetProps {
  readonly items: readonly BatchItem[];
  readonly selectedId: number | undefined;
  readonly onSelect: (id: number) => void;
  readonly onTake: (item: BatchItem) => void;
  /** Whether files are being prepared for download, one after the other. */
  readonly isTaking: boolean;
  /** Absent where a retry has a price, which another button shows. */
  readonly onRetry: ((id: number) => void) | undefined;
  readonly onRemove: (id: number) => void;
  /** Whether the change in size is worth showing. */
  readonly isAboutSize: boolean;
}

const ICON = { size: 18, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** Lists all files of the batch with their progress. */
export function ContactSheet({ items, selectedId, isTaking, isAboutSize, ...on }: ContactSheetProps) {
  const { onSelect, onTake, onRetry, onRemove } = on;
  return (
    <ul className={styles.sheet} aria-label="Files">
      {items.map((item) => {
        const { id, file, state } = item;
        const [result] = resultsOf(item);
        return (
          <li key={id} className={styles.item} data-phase={state.phase}>
            <button
              type="button"
              className={styles.picture}
              aria-pressed={id === selectedId}
              aria-label={`Show ${file.name}`}
              onClick={() => onSelect(id)}
            >
              <Thumbnail blob={result?.file.blob ?? file} label={file.name.split('.').pop() ?? ''} />
            </button>
            {state.phase === 'running' && (
              <ProgressLine
                fraction={state.fraction}
                label={`Progress of ${file.name}`}
                words={describeProgress(state)}
              />
            )}
            <p className={styles.name} title={file.name}>
              {file.name}
            </p>
            <div className={styles.line}>
              <span className="facts" data-smaller={isAboutSize && isSmaller(item)}>
                {statusOf(item, isAboutSize)}
              </span>
              {result && (
                <button
                  type="button"
                  className="button-icon"
                  aria-label={`Download the result of ${file.name}`}
                  disabled={isTaking}
                  onClick={() => onTake(item)}
                >
                  <Download {...ICON} />
                </button>
              )}
              {state.phase === 'failed' && onRetry && (
                <button
                  type="button"
                  className="button-icon"
                  aria-label={`Try ${file.name} again`}
                  onClick={() => onRetry(id)}
                >
                  <RotateCcw {...ICON} />
                </button>
              )}
              {state.phase !== 'running' && (
                <button
                  type="button"
                  className="button-icon"
                  aria-label={`Remove ${file.name}`}
                  onClick={() => onRemove(id)}
                >
                  <X {...ICON} />
                </button>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function statusOf(item: BatchItem, isAboutSize: boolean): string {
  const { file, state } = item;
  switch (state.phase) {
    case 'waiting':
      return bytes(file.size);
    case 'running':
      return describeProgress(state);
    case 'failed':
      return 'failed';
    case 'done':
      return isAboutSize
        ? `${bytes(resultBytes(item))} ${change(file.size, resultBytes(item))}`
        : bytes(resultBytes(item));
  }
}

function resultBytes(item: BatchItem): number {
  return resultsOf(item).reduce((sum, { file }) => sum + file.blob.size, 0);
}

function isSmaller(item: BatchItem): boolean {
  return item.state.phase === 'done' && resultBytes(item) < item.file.size;
}

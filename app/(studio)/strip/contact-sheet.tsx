'use client';

import { Download, History, RotateCcw, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { ProgressLine } from '../../ui/progress-line.tsx';
import type { BatchItem } from '../batch/batch.ts';
import { describeProgress, shownShare } from '../batch/describe-progress.ts';
import { previewOf } from '../batch/results.ts';
import type { IssueOf } from '../download/download-run.ts';
import { Thumbnail } from '../files/thumbnail.tsx';
import type { ShownFile } from '../runs/shown-files.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import styles from './contact-sheet.module.css';
import { describeTile, type SavedBytesOf, toneOf } from './tile-fact.ts';

interface ContactSheetProps extends Omit<TileProps, 'item' | 'isSelected'> {
  readonly items: readonly BatchItem[];
  readonly selectedId: number;
  /** Last tile: adds files. */
  readonly add: ReactNode;
}

const ICON = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;

/**
 * Strip of all files of the batch. One tile is a stop of the Tab key, with its buttons; the arrow keys go to the
 * others.
 */
export function ContactSheet({ items, selectedId, add, ...tile }: ContactSheetProps) {
  const strip = useRef<HTMLUListElement>(null);
  const at = items.findIndex(({ id }) => id === selectedId);
  const go = (to: number) => {
    const item = items[Math.min(Math.max(to, 0), items.length - 1)];
    if (item && item.id !== selectedId) tile.onSelect(item.id);
  };
  useShortcuts('Files', [
    { keys: ['N'], does: 'Show the next file', run: () => go(at + 1) },
    { keys: ['P'], does: 'Show the previous file', run: () => go(at - 1) },
    { keys: ['ArrowLeft', 'ArrowRight', 'Home', 'End'], does: 'In the strip: go to another file' },
  ]);
  useEffect(() => {
    const selected = strip.current?.children[at];
    if (!strip.current || !selected) return;
    scrollSideways(strip.current, selected);
    // The focus goes along with the arrow keys.
    if (strip.current.contains(document.activeElement)) selected.querySelector('button')?.focus();
  }, [at]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  return (
    <ul ref={strip} className={styles.strip} aria-label="Files" onKeyDown={onKeyDown}>
      {items.map((item) => (
        <Tile key={item.id} item={item} isSelected={item.id === selectedId} {...tile} />
      ))}
      <li className={styles.tile}>{add}</li>
    </ul>
  );
}

/** Brings a tile into view within the strip, and leaves the page where it is. */
function scrollSideways(strip: Element, tile: Element): void {
  const [outer, inner] = [strip.getBoundingClientRect(), tile.getBoundingClientRect()];
  strip.scrollLeft += Math.min(inner.left - outer.left, 0) + Math.max(inner.right - outer.right, 0);
}

interface TileProps {
  readonly item: BatchItem;
  readonly isSelected: boolean;
  readonly onSelect: (id: number) => void;
  readonly onDownload: (item: BatchItem) => void;
  /** Whether files are being prepared for download, one after the other. */
  readonly isDownloading: boolean;
  /** Absent where a retry has a price, which another button shows. */
  readonly onRetry: ((id: number) => void) | undefined;
  readonly onRemove: (id: number) => void;
  /** Whether the change in size is worth showing. */
  readonly showsSizeChange: boolean;
  readonly issueOf: IssueOf;
  readonly shownOf: (item: BatchItem) => ShownFile;
  readonly savedBytesOf: SavedBytesOf | undefined;
  /** Says in a few words what a run found, in place of the size of its result. */
  readonly verdictOf?: ((item: BatchItem) => string | undefined) | undefined;
}

function Tile({ item: actual, isSelected, showsSizeChange, onSelect, ...ways }: TileProps) {
  const { issueOf, verdictOf, shownOf, savedBytesOf, ...buttons } = ways;
  const { item, renewal, isOutdated } = shownOf(actual);
  const { id, file, state } = item;
  const progress = renewal ?? (state.phase === 'running' ? state : undefined);
  const isMarked = isOutdated && !renewal;
  const flaw = issueOf(item);
  const savedBytes = savedBytesOf?.(item);
  const fact = flaw ?? verdictOf?.(item) ?? describeTile(item, showsSizeChange, savedBytes);
  const factId = `fact-${id}`;
  return (
    <li className={styles.tile} data-phase={state.phase} data-selected={isSelected}>
      <button
        type="button"
        className={styles.show}
        aria-pressed={isSelected}
        aria-label={`Show ${file.name}`}
        aria-describedby={factId}
        title={flaw || state.phase === 'failed' ? `${file.name}: ${fact}` : file.name}
        tabIndex={isSelected ? 0 : -1}
        onClick={() => onSelect(id)}
      >
        <Thumbnail blob={previewOf(item)} label={file.name.split('.').pop() ?? ''} />
      </button>
      <p className={styles.name}>{file.name}</p>
      <p
        id={factId}
        className={styles.fact}
        data-tone={flaw ? 'warn' : toneOf(item, showsSizeChange, savedBytes)}
      >
        {fact}
        {isMarked && <span className="sr-only">, made with earlier settings</span>}
      </p>
      {isMarked && (
        <span className={styles.mark} title="Made with earlier settings">
          <History {...ICON} />
        </span>
      )}
      {progress && (
        <div className={styles.progress}>
          <ProgressLine
            fraction={shownShare(progress)}
            label={`Progress of ${file.name}`}
            words={describeProgress(progress)}
          />
        </div>
      )}
      <TileActions item={actual} tabIndex={isSelected ? 0 : -1} {...buttons} />
    </li>
  );
}

interface TileActionsProps
  extends Pick<TileProps, 'item' | 'onDownload' | 'isDownloading' | 'onRetry' | 'onRemove'> {
  readonly tabIndex: number;
}

function TileActions({ item, tabIndex, onDownload, isDownloading, onRetry, onRemove }: TileActionsProps) {
  const { id, file, state } = item;
  const common = { type: 'button', className: 'button-icon', tabIndex } as const;
  if (state.phase === 'running') return null;
  return (
    <div className={styles.actions}>
      {state.phase === 'done' && (
        <button
          {...common}
          aria-label={`Download the result of ${file.name}`}
          disabled={isDownloading}
          onClick={() => onDownload(item)}
        >
          <Download {...ICON} />
        </button>
      )}
      {state.phase === 'failed' && onRetry && (
        <button {...common} aria-label={`Try ${file.name} again`} onClick={() => onRetry(id)}>
          <RotateCcw {...ICON} />
        </button>
      )}
      <button {...common} aria-label={`Remove ${file.name}`} onClick={() => onRemove(id)}>
        <X {...ICON} />
      </button>
    </div>
  );
}

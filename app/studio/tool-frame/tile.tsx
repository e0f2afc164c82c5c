'use client';

import { Download, History, RotateCcw, X } from 'lucide-react';
import { memo } from 'react';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { Thumbnail } from '../files/thumbnail.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { describeProgress, shownShare } from '../runs/describe-run.ts';
import type { NamedResult } from '../runs/result-names.ts';
import { getPreview } from '../runs/results.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { mayRetry } from '../runs/use-sendable.ts';
import styles from './contact-sheet.module.css';
import { describeTile, getTone, type TileFacts } from './tile-fact.ts';

/** Texts and actions that all tiles of a strip share. */
export interface TileHandling extends TileFacts {
  readonly onSelect: (id: number) => void;
  readonly onDownload: (item: BatchItem) => void;
  /** Whether files are being prepared for download, one after the other. */
  readonly isDownloading: boolean;
  /** Absent where a retry has a price, which another button shows. */
  readonly onRetry: ((id: number) => void) | undefined;
  readonly onRemove: (id: number) => void;
  /** Returns the file that a drag of the tile to a folder saves; undefined where a download makes another one. */
  readonly getDragged: (item: BatchItem) => NamedResult | undefined;
  /** Whether the change in size is worth showing. */
  readonly showsSizeChange: boolean;
}

interface TileProps extends Pick<ShownFile, 'renewal' | 'isOutdated'> {
  readonly item: BatchItem;
  /** File as the stage shows it. */
  readonly shown: BatchItem;
  readonly isSelected: boolean;
  readonly handling: TileHandling;
}

const ICON = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;

/** Shows one file of the strip. It renders again only with the file itself, not with the progress of others. */
export const Tile = memo(function Tile(props: TileProps) {
  const { item, shown, renewal, isOutdated, isSelected, handling } = props;
  const { file, state } = shown;
  const progress = renewal ?? (state.phase === 'running' ? state : undefined);
  const isMarked = isOutdated && !renewal && state.phase === 'done';
  const dragged = handling.getDragged(item);
  return (
    <li
      className={styles.tile}
      data-phase={state.phase}
      data-selected={isSelected}
      draggable={dragged !== undefined}
      onDragStart={dragged && (({ dataTransfer }) => dragOut(dataTransfer, dragged))}
    >
      <TileText item={shown} isSelected={isSelected} isMarked={isMarked} handling={handling} />
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
      <TileActions item={item} tabIndex={isSelected ? 0 : -1} handling={handling} />
    </li>
  );
});

/** Lets a drag out of the window save a file. Chromium alone does so; elsewhere the drag has no effect. */
function dragOut(transfer: DataTransfer, { name, file }: NamedResult): void {
  const url = URL.createObjectURL(file.blob);
  transfer.effectAllowed = 'copy';
  transfer.setData('DownloadURL', `${file.mediaType}:${name.replaceAll(':', '-')}:${url}`);
  // The download holds the bytes itself once it has begun.
  addEventListener('dragend', () => setTimeout(() => URL.revokeObjectURL(url), 10_000), { once: true });
}

interface TileTextProps extends Pick<TileProps, 'item' | 'isSelected' | 'handling'> {
  readonly isMarked: boolean;
}

/** Thumbnail, which shows the file on the stage, with the file's name and a fact about it. */
function TileText({ item, isSelected, isMarked, handling }: TileTextProps) {
  const { getIssue, getVerdict, getSavedBytes, underlay, showsSizeChange, onSelect } = handling;
  const { id, file, state } = item;
  const issue = getIssue?.(item);
  const savedBytes = getSavedBytes?.(item);
  const fact = issue ?? getVerdict?.(item) ?? describeTile(item, showsSizeChange, savedBytes);
  const factId = `fact-${id}`;
  return (
    <>
      <button
        type="button"
        className={styles.show}
        style={state.phase === 'done' && underlay ? { background: underlay } : undefined}
        aria-pressed={isSelected}
        aria-label={`Show ${file.name}`}
        aria-describedby={factId}
        title={issue || state.phase === 'failed' ? `${file.name}: ${fact}` : file.name}
        tabIndex={isSelected ? 0 : -1}
        onClick={() => onSelect(id)}
      >
        <Thumbnail blob={getPreview(item)} label={file.name.split('.').pop() ?? ''} />
      </button>
      <p className={styles.name}>{file.name}</p>
      <p
        id={factId}
        className={styles.fact}
        title={fact}
        data-tone={issue ? 'warn' : getTone(item, showsSizeChange, savedBytes)}
      >
        {fact}
        {isMarked && <span className="sr-only">, made with earlier settings</span>}
      </p>
    </>
  );
}

interface TileActionsProps extends Pick<TileProps, 'item' | 'handling'> {
  readonly tabIndex: number;
}

function TileActions({ item, tabIndex, handling }: TileActionsProps) {
  const { isDownloading, onDownload, onRetry, onRemove } = handling;
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
      {mayRetry(state) && onRetry && (
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

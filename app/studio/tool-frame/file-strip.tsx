'use client';

import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { DownloadOptions } from '../download/download-run.ts';
import { useDownload } from '../download/use-download.ts';
import { ChooseFiles, TakePhoto } from '../files/choose-files.tsx';
import { ChoiceRow } from '../form/choice-row.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { getResults } from '../runs/results.ts';
import {
  useRunActions,
  useRunFiles,
  useRunOutline,
  useRunPlaces,
  useRunSettings,
} from '../runs/runs-context.ts';
import { itemsInPhase } from '../runs/totals.ts';
import type { Fits } from '../runs/use-fits.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import views from '../stage/view-switch.module.css';
import { prepareOnApproach } from '../tools/prepare-tool.ts';
import { TOOLS } from '../tools/tools.ts';
import type { Wording } from '../tools/wording.ts';
import styles from './contact-sheet.module.css';
import { Tile, type TileHandling } from './tile.tsx';
import type { TileFacts } from './tile-fact.ts';
import type { ToolState } from './use-tool.ts';
import { getAccept } from './use-tool.ts';

interface ContactSheetProps {
  /** The same object as long as nothing in it changes. */
  readonly handling: TileHandling;
  readonly isGrid: boolean;
  /** Goes to another file by a key. */
  readonly onGo: (id: number) => void;
  /** Last tiles: they add files. */
  readonly add: ReactNode;
}

interface AddTileProps {
  readonly operationId: OperationId;
  readonly onFiles: (files: readonly File[]) => void;
}

interface FileStripProps {
  readonly operationId: OperationId;
  readonly wording: Wording;
  readonly tool: ToolState;
  readonly download: DownloadOptions;
  readonly stage: RefObject<HTMLElement | null>;
  readonly facts: TileFacts;
  /** Whether the files are shown as a grid in place of the stage. */
  readonly isGrid: boolean;
  /** Called when the visitor asks for one file, even for the selected one. */
  readonly onShow: (() => void) | undefined;
}

/** Files of a tool: a strip below its stage, or a grid in place of both. */
export function FileStrip(props: FileStripProps) {
  const { operationId, wording, tool, download, stage, facts, isGrid, onShow } = props;
  const { select, start } = useRunActions();
  const { location } = useRunSettings();
  const { fits } = useRunPlaces();
  const downloads = useDownload(operationId, download);
  const show = (id: number) => {
    select(id);
    onShow?.();
    // In a low window the page scrolls.
    stage.current?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <ContactSheet
      isGrid={isGrid}
      onGo={isGrid ? select : show}
      handling={{
        ...facts,
        showsSizeChange: wording.showsSizeChange === true,
        getIssue: (item) => facts.getIssue?.(item) ?? unfitIn(item, fits),
        isDownloading: downloads.progress !== null,
        onSelect: show,
        onDownload: (item) => downloads.save([item]),
        onRetry: location === 'device' ? start : undefined,
        onRemove: tool.remove,
        getDragged: download.isResult ? (item) => getResults(item)[0] : () => undefined,
      }}
      add={
        <>
          <AddTile operationId={operationId} onFiles={tool.add} />
          {TOOLS[operationId].takes.includes('image') && <PhotoTile onFiles={tool.add} />}
        </>
      }
    />
  );
}

/** Says on its tile that a waiting file cannot run on this device. */
function unfitIn({ id, state }: BatchItem, fits: Fits): string | undefined {
  const needsServer = state.phase === 'waiting' && fits.get(id)?.run.verdict === 'server';
  return needsServer ? 'needs the server' : undefined;
}

/** Last tile of the strip. */
function AddTile({ operationId, onFiles }: AddTileProps) {
  return (
    <li className={styles.tile} {...prepareOnApproach(operationId)}>
      <ChooseFiles
        accept={getAccept(operationId)}
        className={styles.add}
        label="Add more"
        onFiles={onFiles}
      />
    </li>
  );
}

function PhotoTile({ onFiles }: Pick<AddTileProps, 'onFiles'>) {
  return (
    <li className={`${styles.tile} for-touch`}>
      <TakePhoto className={styles.add} onFiles={onFiles} />
    </li>
  );
}

/**
 * Shows all files of the batch, or those that failed. One tile is a stop of the Tab key, with its buttons; the arrow keys go to the
 * others.
 */
function ContactSheet({ handling, add, isGrid, onGo }: ContactSheetProps) {
  const { items: all, getShown } = useRunFiles();
  const [filter, setFilter] = useState<'all' | 'failed'>('all');
  const failed = itemsInPhase(all, 'failed');
  const isFiltered = isGrid && filter === 'failed' && failed.length > 0;
  const items = isFiltered ? failed : all;
  const selectedId = useRunOutline().selected?.id;
  const strip = useRef<HTMLUListElement>(null);
  const at = items.findIndex(({ id }) => id === selectedId);
  const go = (to: number) => {
    const item = items[Math.min(Math.max(to, 0), items.length - 1)];
    if (item && item.id !== selectedId) onGo(item.id);
  };
  const keys = [
    { keys: ['N'], does: 'Show the next file', run: () => go(at + 1) },
    { keys: ['P'], does: 'Show the previous file', run: () => go(at - 1) },
    { keys: ['ArrowLeft', 'ArrowRight', 'Home', 'End'], does: 'In the strip: go to another file' },
  ];
  useShortcuts('Files', items.length > 1 ? keys : []);
  useTileInView(strip, at);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  const list = (
    <ul ref={strip} className={isGrid ? styles.grid : styles.strip} aria-label="Files" onKeyDown={onKeyDown}>
      {items.map((item) => {
        const { item: shown, renewal, isOutdated } = getShown(item);
        const isSelected = item.id === selectedId;
        return (
          <Tile
            key={item.id}
            item={item}
            shown={shown}
            renewal={renewal}
            isOutdated={isOutdated}
            isSelected={isSelected}
            handling={handling}
          />
        );
      })}
      {add}
    </ul>
  );
  if (!isGrid) return list;
  return (
    <div className={styles.sheet}>
      {failed.length > 0 && (
        <ChoiceRow
          label="Files to show"
          name="files-shown"
          choices={{ all: `All ${all.length}`, failed: `Failed ${failed.length}` }}
          value={isFiltered ? 'failed' : 'all'}
          className={views.views}
          onChoose={setFilter}
        />
      )}
      {list}
    </div>
  );
}

/** Keeps the selected tile in view. */
function useTileInView(strip: RefObject<HTMLUListElement | null>, at: number): void {
  useEffect(() => {
    const selected = strip.current?.children[at];
    if (!strip.current || !selected) return;
    scrollSideways(strip.current, selected);
    // The focus goes along with the arrow keys.
    if (strip.current.contains(document.activeElement)) selected.querySelector('button')?.focus();
  }, [strip, at]);
}

/** Brings a tile into view within the strip, and leaves the page where it is. */
function scrollSideways(strip: Element, tile: Element): void {
  const [outer, inner] = [strip.getBoundingClientRect(), tile.getBoundingClientRect()];
  strip.scrollLeft += Math.min(inner.left - outer.left, 0) + Math.max(inner.right - outer.right, 0);
}

'use client';

import type { RefObject } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { DownloadOptions } from '../download/download-run.ts';
import { useDownload } from '../download/use-download.ts';
import type { BatchItem } from '../runs/batch.ts';
import { useRunActions, useRunPlaces, useRunSettings } from '../runs/runs-context.ts';
import type { Fits } from '../runs/use-fits.ts';
import type { Wording } from '../tools/wording.ts';
import { acceptOf } from './accepted-files.ts';
import { AddTile } from './add-tile.tsx';
import { ContactSheet } from './contact-sheet.tsx';
import type { TileFacts } from './tile-fact.ts';
import type { ToolState } from './use-tool.ts';

interface FileStripProps {
  readonly operationId: OperationId;
  readonly wording: Wording;
  readonly tool: ToolState;
  readonly download: DownloadOptions;
  readonly stage: RefObject<HTMLElement | null>;
  readonly facts: TileFacts;
  readonly onShow: (() => void) | undefined;
}

/** Strip of a tool's files, below its stage. */
export function FileStrip(props: FileStripProps) {
  const { operationId, wording, tool, download, stage, facts, onShow } = props;
  const { select, start } = useRunActions();
  const { location } = useRunSettings();
  const { fits } = useRunPlaces();
  const downloads = useDownload(operationId, download);
  return (
    <ContactSheet
      handling={{
        ...facts,
        showsSizeChange: wording.showsSizeChange,
        issueOf: (item) => facts.issueOf?.(item) ?? unfitIn(item, fits),
        isDownloading: downloads.progress !== null,
        onSelect(id) {
          select(id);
          onShow?.();
          // In a low window the page scrolls.
          stage.current?.scrollIntoView({ block: 'nearest' });
        },
        onDownload: (item) => downloads.save([item]),
        onRetry: location === 'device' ? start : undefined,
        onRemove: tool.remove,
      }}
      add={<AddTile accept={acceptOf(operationId)} onFiles={tool.add} />}
    />
  );
}

/** Says on its tile that a waiting file cannot run on this device. */
function unfitIn({ id, state }: BatchItem, fits: Fits): string | undefined {
  const needsServer = state.phase === 'waiting' && fits.get(id)?.run.verdict === 'server';
  return needsServer ? 'needs the server' : undefined;
}

'use client';

import { useState, useSyncExternalStore } from 'react';
import type { Cell } from '../../../models/core/cell.ts';
import type { OperationId } from '../../../models/registry.ts';
import type { BatchItem } from '../runs/batch.ts';
import { getIds } from '../runs/live-run.ts';
import { sessionBatch } from '../runs/session-batches.ts';
import { sessionCell } from '../session/session.ts';
import { type DownloadOptions, DownloadRun, type DownloadView, IDLE } from './download-run.ts';
import { usableItems } from './usable-items.ts';

export interface Downloads extends DownloadView {
  /** Saves results to the browser's downloads: one as a file, several as a zip, which leaves out flawed ones. */
  save(items: readonly BatchItem[]): void;
  /** Hands results to the apps of the system, without flawed ones. */
  share(items: readonly BatchItem[]): void;
  /** Shares files that are prepared. */
  shareReady(files: readonly File[]): void;
  /** Cancels the preparation; nothing is downloaded. */
  cancel(): void;
  /** Returns the items whose results belong in a zip: all without a flaw, or all where each has one. */
  usableItems(items: readonly BatchItem[]): readonly BatchItem[];
}

const runs = new Map<OperationId, DownloadRun>();

/** Returns the download of a tool in this tab, whichever page began it. */
function getDownload(operationId: OperationId): DownloadRun {
  // While the server renders there is no tab, only many visitors.
  if (typeof window === 'undefined') return new DownloadRun(() => {});
  const known = runs.get(operationId);
  if (known) return known;
  const saved = savedIds(operationId);
  const run = new DownloadRun(sessionBatch(operationId).batch.subscribe, (items) =>
    saved.set((before) => [...before, ...getIds(items)]),
  );
  runs.set(operationId, run);
  return run;
}

/** Ids of the files of a tool whose results the visitor has downloaded, in this tab's session. */
export function savedIds(operationId: OperationId): Cell<readonly number[]> {
  return sessionCell<readonly number[]>(`${operationId}/downloaded`, []);
}

/** Prepares a tool's results and saves them to the browser's downloads. */
export function useDownload(operationId: OperationId, options: DownloadOptions): Downloads {
  const [run] = useState(() => getDownload(operationId));
  const view = useSyncExternalStore(run.view.subscribe, run.view.get, () => IDLE);
  return {
    ...view,
    save: (items) => void run.save(items, options),
    share: (items) => void run.share(items, options),
    shareReady: (files) => void run.shareReady(files),
    cancel: run.cancel,
    usableItems: (items) => usableItems(items, options.getIssue),
  };
}

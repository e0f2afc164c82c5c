'use client';

import { useState, useSyncExternalStore } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { BatchItem } from '../runs/batch.ts';
import { sessionBatch } from '../runs/session-batches.ts';
import { type DownloadOptions, DownloadRun, type DownloadView, IDLE, usableItems } from './download-run.ts';

export interface Downloads extends DownloadView {
  /** Saves results to the browser's downloads: one as a file, several as a zip, which leaves out flawed ones. */
  save(items: readonly BatchItem[]): void;
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
  const run = runs.get(operationId) ?? new DownloadRun(sessionBatch(operationId).batch.subscribe);
  runs.set(operationId, run);
  return run;
}

/** Prepares a tool's results and saves them to the browser's downloads. */
export function useDownload(operationId: OperationId, options: DownloadOptions): Downloads {
  const [run] = useState(() => getDownload(operationId));
  const view = useSyncExternalStore(run.view.subscribe, run.view.get, () => IDLE);
  return {
    ...view,
    save: (items) => void run.save(items, options),
    cancel: run.cancel,
    usableItems: (items) => usableItems(items, options.getIssue),
  };
}

'use client';

import { useState, useSyncExternalStore } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { BatchView } from './batch.ts';
import type { LiveRun, LiveView } from './live-run.ts';
import { ALL_SAVED, type Unsaved } from './persist-items.ts';
import type { Batch } from './run-batch.ts';
import { sessionBatch } from './session-batches.ts';

const NO_FILES: BatchView = { items: [], isRunning: false };

export interface SessionBatchState {
  readonly batch: Batch;
  readonly view: BatchView;
  readonly live: LiveRun;
  /** The live run, which begins with its request; null while nothing is requested. */
  readonly renewal: LiveView | null;
  /** The files and results that a reload would lose. */
  readonly unsaved: Unsaved;
}

/** Returns a tool's batch in this tab. */
export function useSessionBatch(operationId: OperationId): SessionBatchState {
  const [{ batch, live, unsaved }] = useState(() => sessionBatch(operationId));
  return {
    batch,
    live,
    view: useSyncExternalStore(batch.subscribe, batch.view, () => NO_FILES),
    renewal: useSyncExternalStore(live.subscribe, live.view, () => null),
    unsaved: useSyncExternalStore(unsaved.subscribe, unsaved.get, () => ALL_SAVED),
  };
}

'use client';

import { useState, useSyncExternalStore } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { Batch, BatchView } from '../batch/batch.ts';
import type { LiveRun, LiveView } from '../batch/live-run.ts';
import { sessionBatch } from './batches.ts';
import { ALL_KEPT, type Unkept } from './keep-items.ts';

const NO_FILES: BatchView = { items: [], isRunning: false };

export interface SessionBatchState {
  readonly batch: Batch;
  readonly view: BatchView;
  readonly live: LiveRun;
  /** Live run from the request on; null while nothing is requested. */
  readonly renewal: LiveView | null;
  /** Files and results that a reload would lose. */
  readonly unkept: Unkept;
}

/** Returns a tool's batch in this tab. */
export function useSessionBatch(operationId: OperationId): SessionBatchState {
  const [{ batch, live, unkept }] = useState(() => sessionBatch(operationId));
  return {
    ...{ batch, live },
    view: useSyncExternalStore(batch.subscribe, batch.view, () => NO_FILES),
    renewal: useSyncExternalStore(live.subscribe, live.view, () => null),
    unkept: useSyncExternalStore(unkept.subscribe, unkept.get, () => ALL_KEPT),
  };
}

'use client';

import { useState, useSyncExternalStore } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { Batch, BatchView } from '../batch/batch.ts';
import { sessionBatch } from './batches.ts';
import { ALL_KEPT, type Unkept } from './keep-items.ts';

const NO_FILES: BatchView = { items: [], isRunning: false };

/** Returns a tool's batch in this tab, and what of it a reload would lose. */
export function useSessionBatch(operationId: OperationId): [Batch, BatchView, Unkept] {
  const [{ batch, unkept }] = useState(() => sessionBatch(operationId));
  return [
    batch,
    useSyncExternalStore(batch.subscribe, batch.view, () => NO_FILES),
    useSyncExternalStore(unkept.subscribe, unkept.get, () => ALL_KEPT),
  ];
}

'use client';

import { useState, useSyncExternalStore } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { RUNS_MAX } from '../../../workers/bridge.ts';
import { Batch, type BatchView } from './batch.ts';
import { runFileOf } from './run-file.ts';

/** Creates one batch for the lifetime of the page. */
export function useBatch(operationId: OperationId): [Batch, BatchView] {
  const [batch] = useState(() => new Batch(runFileOf(operationId), RUNS_MAX));
  return [batch, useSyncExternalStore(batch.subscribe, batch.view, batch.view)];
}

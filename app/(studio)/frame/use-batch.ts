'use client';

import { useState, useSyncExternalStore } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { RUNS_MAX, run } from '../../../workers/bridge.ts';
import { keepResult } from '../recent/store.ts';
import { Batch, type BatchView, type RunFile } from './batch.ts';
import { namedResults } from './results.ts';

/** One batch for as long as the page is shown. */
export function useBatch(operationId: OperationId): [Batch, BatchView] {
  const [batch] = useState(() => new Batch(runAndKeep(operationId), RUNS_MAX));
  return [batch, useSyncExternalStore(batch.subscribe, batch.view, batch.view)];
}

/** A browser that has no room for a result, or forbids it, keeps nothing; it is on the page all the same. */
function runAndKeep(operationId: OperationId): RunFile {
  return async (file, params, options) => {
    const result = await run(operationId, file, params, options);
    for (const { name, file: output } of namedResults(file, result)) {
      keepResult(name, output.blob).catch(() => {});
    }
    return result;
  };
}

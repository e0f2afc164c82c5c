'use client';

import { useCallback, useEffect } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { isSavingData } from '../../offline/is-saving-data.ts';
import { readRunTimes } from '../run-times/stored-run-times.ts';

/** Handlers of the element where a visitor looks for the first file. */
interface Approach {
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
}

/** Pause after the page has opened, in which it draws itself. */
const OPENED_MS = 300;

/**
 * Lets a worker load what a tool's run needs as soon as the visitor reaches for a file: by pointer, by keyboard, or by
 * dragging one over the window. Where the tool has run before, its files are on this device, and whoever opens it again
 * most likely runs it: there the worker loads them as soon as the page is open.
 */
export function usePreparedRun(operationId: OperationId, isDragging: boolean): Approach {
  const prepare = useCallback(() => {
    if (!isSavingData()) void startWorker(operationId);
  }, [operationId]);
  useEffect(() => {
    if (isDragging) prepare();
  }, [isDragging, prepare]);
  useEffect(() => {
    if (readRunTimes(operationId).runs === 0) return;
    const timer = setTimeout(() => {
      if (!document.hidden) prepare();
    }, OPENED_MS);
    return () => clearTimeout(timer);
  }, [operationId, prepare]);
  return { onPointerEnter: prepare, onFocus: prepare };
}

/** Never rejects: a run without a prepared worker starts one, and says what is missing. */
async function startWorker(operationId: OperationId): Promise<void> {
  const loaded = await import('../../../workers/operation/run-operation.ts').catch(() => undefined);
  loaded?.prepareRun(operationId);
}

'use client';

import { useEffect, useState } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { prepareRun } from '../../../workers/operation/run-operation.ts';
import { isSavingData } from '../../offline/is-saving-data.ts';

/** Handlers of the element where a visitor looks for the first file. */
interface Approach {
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
}

/**
 * Lets a worker load what a tool's run needs as soon as the visitor reaches for a file: by pointer, by keyboard, or by
 * dragging one over the window.
 */
export function usePreparedRun(operationId: OperationId, isDragging: boolean): Approach {
  const [isNear, setNear] = useState(false);
  const isWanted = isNear || isDragging;
  useEffect(() => {
    if (isWanted && !isSavingData()) prepareRun(operationId);
  }, [operationId, isWanted]);
  const onApproach = () => setNear(true);
  return { onPointerEnter: onApproach, onFocus: onApproach };
}

'use client';

import { useEffect, useState } from 'react';
import type { OperationId } from '../../models/registry.ts';
import { mediaKind } from './media-kind.ts';
import { NO_RUNS, type Pace, withRun } from './pace.ts';

/** The pace so far, read when the page opens; undefined while it is made on the server. */
export function usePace(operationId: OperationId): Pace | undefined {
  const [pace, setPace] = useState<Pace>();
  useEffect(() => setPace(readPace(operationId)), [operationId]);
  return pace;
}

function readPace(operationId: OperationId): Pace {
  try {
    return { ...NO_RUNS, ...JSON.parse(localStorage.getItem(nameOf(operationId)) ?? '{}') };
  } catch {
    return NO_RUNS;
  }
}

/** Whether its size tells how long it takes: that of a video tells nothing of its seconds and frames. */
export function isPaced(file: File): boolean {
  return mediaKind(file) !== 'video';
}

/** Where the browser keeps nothing, nothing is known later. */
export function notePace(operationId: OperationId, file: File, seconds: number): void {
  if (!isPaced(file)) return;
  try {
    const pace = withRun(readPace(operationId), file.size, seconds);
    localStorage.setItem(nameOf(operationId), JSON.stringify(pace));
  } catch {}
}

function nameOf(operationId: OperationId): string {
  return `darkroom-pace-${operationId}`;
}

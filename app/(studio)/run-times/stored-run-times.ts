'use client';

import { useEffect, useState } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { mediaKind } from '../files/media-kind.ts';
import { addRun, NO_RUNS, type RunTimes } from './run-times.ts';

/** Returns the stored run times; undefined while the server renders the page. */
export function useRunTimes(operationId: OperationId): RunTimes | undefined {
  const [pace, setPace] = useState<RunTimes>();
  useEffect(() => setPace(readPace(operationId)), [operationId]);
  return pace;
}

function readPace(operationId: OperationId): RunTimes {
  try {
    return { ...NO_RUNS, ...JSON.parse(localStorage.getItem(nameOf(operationId)) ?? '{}') };
  } catch {
    return NO_RUNS;
  }
}

/** Reports whether a file's size predicts its run time. A video's size says nothing about its seconds and frames. */
export function hasRunTimes(file: File): boolean {
  return mediaKind(file) !== 'video';
}

/** Records a run. Does nothing where the browser stores nothing. */
export function recordRunTime(operationId: OperationId, file: File, seconds: number): void {
  if (!hasRunTimes(file)) return;
  try {
    const pace = addRun(readPace(operationId), file.size, seconds);
    localStorage.setItem(nameOf(operationId), JSON.stringify(pace));
  } catch {}
}

function nameOf(operationId: OperationId): string {
  return `darkroom-pace-${operationId}`;
}

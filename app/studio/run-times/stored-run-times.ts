'use client';

import { useEffect, useState } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { addRun, NO_RUNS, type RunTimes } from './run-times.ts';

/** Returns the stored run times by megabytes of the input; undefined while the server renders the page. */
export function useRunTimes(operationId: OperationId): RunTimes | undefined {
  const [times, setTimes] = useState<RunTimes>();
  useEffect(() => setTimes(readRunTimes(operationId)), [operationId]);
  return times;
}

/**
 * Reads the run times of an operation.
 * @param kind of runs; without one, those of all runs by megabytes
 */
export function readRunTimes(operationId: OperationId, kind?: string): RunTimes {
  return { ...NO_RUNS, ...readStored<RunTimes>(timesName(operationId, kind)) };
}

/** Records a run by megabytes. Does nothing where the browser stores nothing. */
export function recordRunTime(operationId: OperationId, file: Blob, seconds: number): void {
  forgetFormerTimes();
  const times = addRun(readRunTimes(operationId), file.size / 1e6, seconds);
  writeStored(timesName(operationId), times);
}

/** Records a run of a kind by its work. */
export function recordKindTime(operationId: OperationId, kind: string, work: number, seconds: number): void {
  writeStored(timesName(operationId, kind), addRun(readRunTimes(operationId, kind), work, seconds));
}

/** Reads an object that this browser stores; an empty one where there is none. */
export function readStored<Value extends object>(name: string): Partial<Value> {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/** Removes the times that earlier versions stored, in another form. Does nothing where the browser stores nothing. */
function forgetFormerTimes(): void {
  try {
    const names = Object.keys(localStorage).filter((name) => /^darkroom-(times|steps)-/.test(name));
    for (const name of names) localStorage.removeItem(name);
  } catch {}
}

/** Stores an object. Does nothing where the browser stores nothing. */
export function writeStored(name: string, value: object): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {}
}

function timesName(operationId: OperationId, kind?: string): string {
  return `darkroom-run-times-${operationId}${kind === undefined ? '' : `/${kind}`}`;
}

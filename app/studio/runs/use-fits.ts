'use client';

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { RunFit } from '../../../models/core/runtime/fit.ts';
import type { OperationId } from '../../../models/registry.ts';
import { onWeightChange } from '../../../workers/runtime/weight-cache/weight-changes.ts';
import type { BatchItem } from './batch.ts';
import { engineFailures, failureKey } from './engine-failures.ts';
import { readFits } from './read-fit.ts';

/** Fits by the ids of files. A file is absent until its fit is known. */
export type Fits = ReadonlyMap<number, RunFit>;

interface Known {
  /** All that the fit depends on. */
  readonly key: string;
  readonly fit: RunFit;
}

/** Decides for each file where it can run, and with which engines, and again after each change of the stored models. */
export function useFits(
  operationId: OperationId,
  items: readonly BatchItem[],
  paramsFor: (file: File) => object,
): Fits {
  const failed = engineFailures(operationId);
  const failures = useSyncExternalStore(failed.subscribe, failed.get, failed.get);
  const [known, setKnown] = useState<ReadonlyMap<number, Known>>(new Map());
  const [revision, setRevision] = useState(0);
  useEffect(() => onWeightChange(() => setRevision((before) => before + 1)), []);
  const runs = items.map(({ id, file }) => {
    const run = { file, params: paramsFor(file), failures: failures.get(failureKey(file)) };
    return { id, run, key: JSON.stringify([revision, run.params, run.failures]) };
  });
  const missing = runs.filter(({ id, key }) => known.get(id)?.key !== key);
  const wanted = JSON.stringify(missing.map(({ id, key }) => [id, key]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` holds all that the fits depend on
  useEffect(() => {
    if (missing.length === 0) return;
    let isWanted = true;
    readFits(
      operationId,
      missing.map(({ run }) => run),
    ).then(
      (fits) => {
        if (!isWanted) return;
        const found = missing.map(({ id, key }, at) => [id, { key, fit: fits[at] }] as const);
        setKnown((before) => new Map([...before, ...found]));
      },
      // The definitions come over the network, which may be gone: then the run itself says what it lacks.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [wanted, operationId]);
  const present = runs.filter(({ id, key }) => known.get(id)?.key === key).map(({ id }) => id);
  return useStableFits(known, present);
}

/** Returns the fits of the files that are present: the same map until one of them changes. */
function useStableFits(known: ReadonlyMap<number, Known>, present: readonly number[]): Fits {
  const ids = present.join();
  return useMemo(() => {
    const fits = ids.split(',').map((id) => [Number(id), known.get(Number(id))?.fit] as const);
    return new Map(fits.flatMap(([id, fit]) => (fit ? [[id, fit] as const] : [])));
  }, [known, ids]);
}

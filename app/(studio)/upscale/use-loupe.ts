'use client';

import { useEffect, useState } from 'react';
import { OperationError } from '../../../models/errors.ts';
import type { RegionOrder, RegionPreview, RegionSession } from '../../../workers/enlarge-regions.ts';
import { failureWords } from '../batch/failure-words.ts';

/** What the loupe shows. */
export interface LoupeResult {
  /** Last computed region with its order; undefined before the first. */
  readonly shown: (RegionPreview & { readonly order: RegionOrder }) | undefined;
  /** Whether another one is being computed. */
  readonly isWorking: boolean;
  readonly failure: string | undefined;
  /** Seconds that the networks would take for the whole image; undefined until they are measured. */
  readonly wholeSeconds: number | undefined;
}

/**
 * Computes the region under the loupe. A new order cancels the former one.
 * @param order undefined while nothing is to be computed
 */
export function useLoupe(session: RegionSession | null, order: RegionOrder | undefined): LoupeResult {
  const [shown, setShown] = useState<LoupeResult['shown']>();
  const [failed, setFailed] = useState<{ key: string; words: string }>();
  const [doneKey, setDoneKey] = useState('');
  const [measured, setMeasured] = useState<ReadonlyMap<string, number>>(new Map());
  const key = order ? JSON.stringify(order) : '';
  const settings = JSON.stringify(order?.params);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds all of the order
  useEffect(() => {
    if (!session || !order) return;
    const ending = new AbortController();
    session.preview(order, ending.signal).then(
      (preview) => {
        if (ending.signal.aborted) return preview.bitmap.close();
        setShown({ ...preview, order });
        setDoneKey(key);
        if (!measured.has(settings)) void measure(order, ending.signal);
      },
      (error: unknown) => {
        const isCancelled = error instanceof OperationError && error.code === 'cancelled';
        if (!isCancelled && !ending.signal.aborted) setFailed({ key, words: failureWords(error) });
      },
    );
    return () => ending.abort();
  }, [session, key]);
  /** Times the same again: a first run also compiles and allocates what the others reuse. */
  const measure = async (again: RegionOrder, signal: AbortSignal) => {
    const timed = await session?.preview(again, signal).catch(() => undefined);
    timed?.bitmap.close();
    if (timed) setMeasured((before) => new Map(before).set(JSON.stringify(again.params), timed.wholeSeconds));
  };
  useEffect(() => () => shown?.bitmap.close(), [shown]);
  const failure = failed?.key === key ? failed.words : undefined;
  const isWorking = key !== '' && key !== doneKey && failure === undefined;
  return { shown, isWorking, failure, wholeSeconds: measured.get(settings) };
}

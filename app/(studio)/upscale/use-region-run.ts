'use client';

import { useEffect, useState } from 'react';
import { OperationError } from '../../../models/errors.ts';
import type { RegionOrder, RegionSession, SavedRegion } from '../../../workers/enlarge-regions.ts';
import type { Progress } from '../batch/batch.ts';
import { failureWords } from '../batch/failure-words.ts';
import { createAbortScope } from '../frame/use-abort-on-unmount.ts';

export interface RegionRun {
  readonly progress: Progress | undefined;
  readonly result: { readonly order: RegionOrder; readonly saved: SavedRegion } | undefined;
  readonly failure: string | undefined;
  start(order: RegionOrder): void;
  cancel(): void;
  /** Drops the result, so that another region can be chosen. */
  clear(): void;
}

/**
 * Upscales one region of an image into a file. It ends with the session.
 * @param settings that the result belongs to: others drop it
 */
export function useRegionRun(session: RegionSession | null, settings: string): RegionRun {
  const [scope] = useState(createAbortScope);
  const [progress, setProgress] = useState<Progress>();
  const [result, setResult] = useState<RegionRun['result']>();
  const [failure, setFailure] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other settings begin anew
  useEffect(() => {
    if (!session) return;
    return () => {
      scope.end();
      setProgress(undefined);
      setResult(undefined);
      setFailure(undefined);
    };
  }, [session, scope, settings]);
  const start = async (order: RegionOrder) => {
    if (!session) return;
    const signal = scope.begin();
    setFailure(undefined);
    setProgress({ fraction: 0 });
    try {
      const saved = await session.save(order, signal, (fraction, _count, activity) => {
        if (!signal.aborted) setProgress({ fraction, ...activity });
      });
      if (!signal.aborted) setResult({ order, saved });
    } catch (error) {
      const isCancelled = error instanceof OperationError && error.code === 'cancelled';
      if (!isCancelled && !signal.aborted) setFailure(failureWords(error));
    } finally {
      if (!signal.aborted) setProgress(undefined);
    }
  };
  return {
    ...{ progress, result, failure },
    start: (order) => void start(order),
    cancel() {
      scope.end();
      setProgress(undefined);
    },
    clear: () => setResult(undefined),
  };
}

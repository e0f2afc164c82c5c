'use client';

import { useEffect, useState } from 'react';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { PixelRegion } from '../../../models/core/runtime/raster.ts';
import type { RegionPreview, RegionRequest, RegionSession } from '../../../workers/edits/enlarge-regions.ts';
import { describeFailure } from '../failures/describe-failure.ts';

/** Contents of the loupe. */
export interface LoupeResult {
  /** Last region that was computed with these settings, with its order; undefined before the first. */
  readonly shown: (RegionPreview & { readonly order: RegionRequest }) | undefined;
  /** Whether another one is being computed. */
  readonly isWorking: boolean;
  readonly failure: string | undefined;
  /** Seconds that the networks would take for the whole image; undefined until they are measured. */
  readonly wholeSeconds: number | undefined;
}

/** Result of an order to one session. */
interface Computed {
  readonly session: RegionSession;
  readonly settings: string;
  readonly key: string;
  readonly shown: NonNullable<LoupeResult['shown']>;
}

/**
 * Computes the region under the loupe. A new order cancels the former one.
 * @param region undefined while nothing is to be computed
 */
export function useLoupe(
  session: RegionSession | null,
  options: Omit<RegionRequest, 'region'>,
  region: PixelRegion | undefined,
): LoupeResult {
  const [computed, setComputed] = useState<Computed>();
  const [failed, setFailed] = useState<{ key: string; words: string }>();
  const [measured, setMeasured] = useState<ReadonlyMap<string, number>>(new Map());
  const settings = JSON.stringify(options);
  const key = region ? `${settings} ${JSON.stringify(region)}` : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds all of the order
  useEffect(() => {
    if (!session || !region) return;
    const order = { ...options, region };
    const ending = new AbortController();
    setFailed(undefined);
    session.preview(order, ending.signal).then(
      (preview) => {
        if (ending.signal.aborted) return preview.bitmap.close();
        setComputed({ session, settings, key, shown: { ...preview, order } });
        if (!measured.has(settings)) void measure(order, ending.signal);
      },
      (error: unknown) => {
        const isCancelled = error instanceof OperationError && error.code === 'cancelled';
        if (!isCancelled && !ending.signal.aborted) setFailed({ key, words: describeFailure(error) });
      },
    );
    return () => ending.abort();
  }, [session, key]);
  /** Times the same again: a first run also compiles and allocates what the others reuse. */
  const measure = async (again: RegionRequest, signal: AbortSignal) => {
    const timed = await session?.preview(again, signal).catch(() => undefined);
    timed?.bitmap.close();
    if (timed) setMeasured((before) => new Map(before).set(settings, timed.wholeSeconds));
  };
  useEffect(() => () => computed?.shown.bitmap.close(), [computed]);
  // Another image, frame or setting leaves a result that is not theirs.
  const own = computed?.session === session && computed.settings === settings ? computed : undefined;
  const failure = failed?.key === key ? failed.words : undefined;
  const isWorking = key !== '' && key !== own?.key && failure === undefined;
  return { shown: own?.shown, isWorking, failure, wholeSeconds: measured.get(settings) };
}

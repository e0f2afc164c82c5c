'use client';

import { useEffect, useState } from 'react';
import type { Adjustments } from '../../../models/kernels/resize/resize-plan.ts';
import type { BatchItem, ItemState } from '../runs/batch.ts';
import { adjustOriginal } from './adjusted-original.ts';
import { deviceSettings } from './device-fields.ts';
import { visibleAdjustments } from './plan-adjusted.ts';

/**
 * Returns the image that the result of a file is compared with: the original, turned, mirrored and cut as its result
 * is. Undefined until it is made.
 */
export function useCompared({ file, state }: BatchItem): Blob | undefined {
  const adjustments = adjustmentsOf(state);
  // A result in another size alone needs no other original.
  const key = adjustments && JSON.stringify(adjustments);
  const [made, setMade] = useState<{ readonly file: File; readonly key: string; readonly image: Blob }>();
  useEffect(() => {
    if (key === undefined) return;
    const ending = new AbortController();
    const { signal } = ending;
    const show = (image: Blob) => !signal.aborted && setMade({ file, key, image });
    const wanted: Adjustments = JSON.parse(key);
    // What cannot be shown here is compared as it is.
    adjustOriginal(file, wanted, signal).then(show, () => show(file));
    return () => ending.abort();
  }, [file, key]);
  if (key === undefined) return file;
  return made?.file === file && made.key === key ? made.image : undefined;
}

/** Returns the adjustments that a result shows. The server makes none. */
function adjustmentsOf(state: ItemState): Adjustments | undefined {
  if (state.phase !== 'done' || state.result.server || !state.resultParams) return undefined;
  const adjustments = deviceSettings(state.resultParams)?.adjustments;
  return adjustments && visibleAdjustments(adjustments);
}

'use client';

import { useEffect, useState } from 'react';
import type { Adjustments } from '../../../models/kernels/resize/resize-plan.ts';
import type { BatchItem } from '../batch/batch.ts';
import { adjustOriginal } from './adjusted-original.ts';
import { deviceSettings } from './device-fields.ts';

/**
 * Returns the image that the result of a file is compared with: the original, turned, mirrored and cut as its result
 * is. Undefined until it is made.
 */
export function useCompared({ file, state }: BatchItem): Blob | undefined {
  const adjustments =
    state.phase === 'done' && !state.result.server ? adjustmentsOf(state.madeWith) : undefined;
  const key = adjustments && JSON.stringify(adjustments);
  const [made, setMade] = useState<{ readonly file: File; readonly key: string; readonly image: Blob }>();
  useEffect(() => {
    if (key === undefined) return;
    const ending = new AbortController();
    const { signal } = ending;
    const show = (image: Blob) => !signal.aborted && setMade({ file, key, image });
    // What cannot be shown here is compared as it is.
    adjustOriginal(file, JSON.parse(key), signal).then(show, () => show(file));
    return () => ending.abort();
  }, [file, key]);
  if (key === undefined) return file;
  return made?.file === file && made.key === key ? made.image : undefined;
}

function adjustmentsOf(values: Parameters<typeof deviceSettings>[0] = {}): Adjustments | undefined {
  return deviceSettings(values)?.adjustments;
}

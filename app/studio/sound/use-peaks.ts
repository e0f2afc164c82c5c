'use client';

import { useEffect, useState } from 'react';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import type { Peaks } from '../../../models/kernels/audio/peaks.ts';
import { inWorker } from '../../../workers/one-shot/one-shot.ts';
import { describeFailure } from '../failures/describe-failure.ts';

/** Peaks of files measured in this tab: a file is decoded once. */
const known = new WeakMap<Blob, Peaks>();

/** Peaks of a file, the reason why there are none, or how much is measured; undefined before that is known. */
export type PeaksView =
  | { readonly peaks: Peaks }
  | { readonly failure: string }
  | { readonly progress: Progress }
  | undefined;

/** Measures the peaks of a file in a worker, once. Without a file there are none. */
export function usePeaks(file: Blob | undefined): PeaksView {
  const [found, setFound] = useState<{ file: Blob; view: PeaksView }>();
  useEffect(() => {
    if (!file || known.has(file)) return;
    const leaving = new AbortController();
    const show = (view: PeaksView) => {
      if (!leaving.signal.aborted) setFound({ file, view });
    };
    const { signal } = leaving;
    const onProgress = (progress: Progress) => show({ progress });
    inWorker('measurePeaks', [file], { signal, onProgress }).then(
      (peaks) => {
        known.set(file, peaks);
        show({ peaks });
      },
      (error) => show({ failure: describeFailure(error) }),
    );
    return () => leaving.abort();
  }, [file]);
  const peaks = file && known.get(file);
  if (peaks) return { peaks };
  return file && found?.file === file ? found.view : undefined;
}

/** Returns the progress of measuring; undefined before the first report and after the last. */
export function getProgress(view: PeaksView): Progress | undefined {
  return view && 'progress' in view ? view.progress : undefined;
}

'use client';

import { useEffect, useState } from 'react';
import type { FloatImage } from '../../../models/core/runtime/raster.ts';
import type { FillEstimate } from '../../../models/operations/extend/fill/estimate-fill.ts';
import { inWorker } from '../../../workers/one-shot/one-shot.ts';
import type { ParamValues } from '../tools/fields.ts';
import { addsNothing, frameParams } from './margins.ts';

/** Pause after a change: a dragged edge asks once. */
const PAUSE_MS = 250;

/** Look of the simple fill before a run. */
export interface ShownPreview extends FillEstimate {
  /** Object URL of a small image of the whole canvas. */
  readonly url: string;
}

interface PreviewConditions {
  /** Whether the simple fill would run and nothing is shown of it yet. */
  readonly isWanted: boolean;
  /** Whether none may be made now: a run needs the cores. One that is shown stays. */
  readonly isPaused: boolean;
}

/**
 * Returns a small simple fill of a file, for the chosen settings; undefined until it is made, and where none can be.
 */
export function useFillPreview(
  file: File,
  values: ParamValues,
  { isWanted, isPaused }: PreviewConditions,
): ShownPreview | undefined {
  const [shown, setShown] = useState<{ readonly key: string; readonly file: File } & ShownPreview>();
  const key = isWanted && !addsNothing(values) ? JSON.stringify(frameParams(values)) : undefined;
  useEffect(() => {
    if (key === undefined || isPaused) return;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      // It is only a prediction: without a preview the run itself says what is wrong.
      inWorker('previewFill', [file, JSON.parse(key)], { signal: ending.signal }).then(
        ({ blob, ...estimate }) => {
          if (!ending.signal.aborted) setShown({ ...estimate, key, file, url: URL.createObjectURL(blob) });
        },
        () => {},
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [file, key, isPaused]);
  useEffect(() => {
    const url = shown?.url;
    return () => {
      if (url) URL.revokeObjectURL(url);
    };
  }, [shown]);
  return shown?.key === key && shown?.file === file ? shown : undefined;
}

/** Subjects of the files that were looked at: finding one takes a second or more. */
const subjects = new WeakMap<File, FloatImage>();

/** Returns the subject of a file, one channel over the image; undefined until it is found, and where none can be. */
export function useSubject(file: File, { isWanted, isPaused }: PreviewConditions): FloatImage | undefined {
  const [found, setFound] = useState<{ readonly file: File; readonly subject: FloatImage }>();
  useEffect(() => {
    if (!isWanted || isPaused) return;
    const ending = new AbortController();
    const take = (subject: FloatImage | undefined) => {
      if (!subject || ending.signal.aborted) return;
      subjects.set(file, subject);
      setFound({ file, subject });
    };
    const known = subjects.get(file);
    if (known) take(known);
    // It is only a warning: the run itself says afterwards what is wrong.
    else inWorker('readSubjectMask', [file], { signal: ending.signal }).then(take, () => {});
    return () => ending.abort();
  }, [file, isWanted, isPaused]);
  return found?.file === file ? found.subject : undefined;
}

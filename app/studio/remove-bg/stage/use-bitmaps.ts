'use client';

import { useEffect, useState } from 'react';
import type { ReportProgress } from '../../../../models/core/runtime/progress.ts';
import type { CutoutFiles } from '../../../../models/operations/remove-bg/cutout-edits.ts';
import type { Stroke } from '../../../../models/operations/remove-bg/strokes.ts';
import { openRetouch, type RetouchSession } from '../../../../workers/edits/retouch.ts';
import { useLatest } from '../../../ui/hooks.ts';
import { describeFailure } from '../../failures/describe-failure.ts';
import { openReducedBitmap } from '../../files/open-bitmap.ts';

/** Longest side of a preview in pixels; the file keeps its full size. */
const PREVIEW_SIDE = 1600;
/** Longest side of the preview of an image that is zoomed in, in pixels: 64 MB at most. */
export const DETAIL_SIDE = 4096;

/** Image at screen size: `null` when the browser cannot show it, `undefined` while it is being made. */
export type Preview = ImageBitmap | null | undefined;

/**
 * Decodes an image off the main thread, its longer side reduced to `side` pixels.
 * @param onProgress receives the progress of a conversion that the browser needs first
 */
export function usePreview(
  blob: Blob | undefined,
  side = PREVIEW_SIDE,
  onProgress?: ReportProgress,
): Preview {
  const [made, setMade] = useState<{ blob: Blob; bitmap: ImageBitmap | null }>();
  const latestReport = useLatest(onProgress);
  useEffect(() => {
    if (!blob) return;
    const ending = new AbortController();
    let shown: ImageBitmap | undefined;
    const report: ReportProgress = (progress) => {
      if (!ending.signal.aborted) latestReport()?.(progress);
    };
    openReducedBitmap(blob, side, ending.signal, report).then(
      (bitmap) => {
        shown = bitmap;
        if (ending.signal.aborted) bitmap.close();
        else setMade({ blob, bitmap });
      },
      () => !ending.signal.aborted && setMade({ blob, bitmap: null }),
    );
    return () => {
      ending.abort();
      shown?.close();
    };
  }, [blob, side, latestReport]);
  return made?.blob === blob ? made?.bitmap : undefined;
}

export interface Retouched {
  /** Cutout after the strokes; undefined without strokes and before the first response. */
  readonly bitmap: ImageBitmap | undefined;
  readonly isWorking: boolean;
  readonly failure: string | undefined;
}

/**
 * Applies brush strokes to an image's cutout at screen size. The worker starts with the first stroke and ends with
 * the image.
 */
export function useRetouched(
  files: CutoutFiles | undefined,
  strokes: readonly Stroke[],
  isBrushOut: boolean,
): Retouched {
  const isNeeded = isBrushOut || strokes.length > 0;
  const { original, cutout } = files ?? {};
  const [session, setSession] = useState<RetouchSession>();
  const [made, setMade] = useState<{ strokes: readonly Stroke[]; bitmap: ImageBitmap }>();
  const [failed, setFailed] = useState<{ strokes: readonly Stroke[]; message: string }>();

  useEffect(() => {
    if (!original || !cutout || !isNeeded) return;
    const opened = openRetouch({ original, cutout });
    setSession(opened);
    return () => {
      opened.end();
      setSession(undefined);
      setMade(undefined);
      setFailed(undefined);
    };
  }, [original, cutout, isNeeded]);

  useEffect(() => {
    if (!session || strokes.length === 0) return;
    let isWanted = true;
    session.preview(strokes).then(
      (bitmap) => isWanted && setMade({ strokes, bitmap }),
      (error: unknown) => isWanted && setFailed({ strokes, message: describeFailure(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [session, strokes]);

  const isFailed = failed?.strokes === strokes;
  return {
    bitmap: strokes.length > 0 ? made?.bitmap : undefined,
    isWorking: strokes.length > 0 && made?.strokes !== strokes && !isFailed,
    failure: isFailed ? failed.message : undefined,
  };
}

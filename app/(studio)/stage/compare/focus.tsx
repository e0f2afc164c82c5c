'use client';

import { useEffect, useRef } from 'react';
import { fitWithin } from '../../../../models/kernels/resize/resize.ts';
import { useStage } from '../view/stage-context.ts';
import { mostDetailed, mostDifferent, type SharePoint } from './find-focus.ts';
import { openBitmap, pixelsOf } from './read-pixels.ts';

/** Longest side at which edges are sought: those that an enlargement has to keep are still there. */
const DETAIL_SIDE = 512;
/** Longest side at which images are compared: much smaller, their differences average out. */
const DIFFERENCE_SIDE = 2048;

/** Finds where two images of one shape differ most. */
export async function findDifference(before: Blob, after: Blob, signal: AbortSignal): Promise<SharePoint> {
  const [one, other] = await Promise.all([
    openBitmap(before, DIFFERENCE_SIDE, signal),
    openBitmap(after, DIFFERENCE_SIDE, signal),
  ]);
  const { width, height } = one;
  const point = mostDifferent(pixelsOf(one, width, height), pixelsOf(other, width, height));
  one.close();
  other.close();
  return point;
}

/** Shows an image at 100 % around its finest detail, once, as soon as it is in the stage. Renders nothing. */
export function FocusOnDetail({ image }: { readonly image: Blob }) {
  const stage = useStage();
  const latest = useRef(stage);
  useEffect(() => {
    latest.current = stage;
  });
  const isThere = stage !== null;
  useEffect(() => {
    if (!isThere) return;
    const ending = new AbortController();
    const show = async () => {
      const bitmap = await openBitmap(image, DETAIL_SIDE, ending.signal);
      const { width, height } = fitWithin(bitmap, DETAIL_SIDE);
      const point = mostDetailed(pixelsOf(bitmap, width, height));
      bitmap.close();
      const view = latest.current;
      // A visitor who has zoomed already sees what they want to see.
      if (!ending.signal.aborted && view?.isFit) view.focusOn(point);
    };
    // The whole image is shown where it cannot be measured.
    show().catch(() => {});
    return () => ending.abort();
  }, [image, isThere]);
  return null;
}

'use client';

import { useEffect } from 'react';
import { useLatest } from '../../ui/hooks.ts';
import { openBitmap, openReducedBitmap, readPixels } from '../files/open-bitmap.ts';
import { mostDetailed, mostDifferent, type SharePoint } from './find-focus.ts';
import { useStage } from './stage-context.ts';

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
  const point = mostDifferent(readPixels(one, one), readPixels(other, one));
  one.close();
  other.close();
  return point;
}

const details = new WeakMap<Blob, SharePoint>();

/** Finds the finest detail of an image, once for each image. */
async function findDetail(image: Blob, signal: AbortSignal): Promise<SharePoint> {
  const known = details.get(image);
  if (known) return known;
  const bitmap = await openReducedBitmap(image, DETAIL_SIDE, signal);
  const point = mostDetailed(readPixels(bitmap, bitmap));
  bitmap.close();
  details.set(image, point);
  return point;
}

/** Shows an image at 100 or 200 % around its finest detail, once, as soon as it is in the stage. Renders nothing. */
export function FocusOnDetail({ image }: { readonly image: Blob }) {
  const stage = useStage();
  const latest = useLatest(stage);
  const isThere = stage !== null;
  useEffect(() => {
    if (!isThere) return;
    const ending = new AbortController();
    const show = async () => {
      const point = await findDetail(image, ending.signal);
      const view = latest();
      // A visitor who has zoomed already sees what they want to see.
      if (!ending.signal.aborted && view?.isFit) view.focusOn(point);
    };
    // The whole image is shown where it cannot be measured.
    show().catch(() => {});
    return () => ending.abort();
  }, [image, isThere, latest]);
  return null;
}

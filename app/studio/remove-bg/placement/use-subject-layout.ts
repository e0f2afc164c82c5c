'use client';

import { useEffect, useMemo, useState } from 'react';
import { type Region, scaleRegion } from '../../../../models/kernels/raster/crop-raster.ts';
import { fitWithin } from '../../../../models/kernels/resize/resize.ts';
import { alphaBox } from '../../../../models/operations/remove-bg/placement/alpha-box.ts';
import type { LayoutOptions } from '../../../../models/operations/remove-bg/placement/lay-out-subject.ts';
import {
  type Layout,
  layOutSubject,
} from '../../../../models/operations/remove-bg/placement/lay-out-subject.ts';
import { readPixels } from '../../files/read-pixels.ts';
import type { Size } from '../../stage/view/stage-geometry.ts';
import type { Preview } from '../stage/use-bitmaps.ts';

/** Longest side at which the subject's box is measured, in pixels. */
const MEASURED_SIDE = 800;

/**
 * Returns where the subject of a cutout lies on its canvas, in pixels of the file to save.
 * @param image size of the image, once known
 * @returns null until the subject is measured
 */
export function useSubjectLayout(
  cutout: Preview,
  image: Size | undefined,
  options: LayoutOptions,
): Layout | null {
  const share = useSubjectBox(cutout ?? undefined);
  const { canvas, margin, position } = options;
  const { width, height } = image ?? {};
  // Of its own: a shadow's silhouette is read again with each new box.
  const box = useMemo(
    () =>
      share &&
      width &&
      height && { ...scaleRegion(share, width), top: share.top * height, height: share.height * height },
    [share, width, height],
  );
  return useMemo(() => {
    if (!box || !width || !height) return null;
    return layOutSubject({ width, height }, box, { canvas, margin, position });
  }, [box, width, height, canvas, margin, position]);
}

/** Measures the subject's box as shares of the image's sides. */
function useSubjectBox(cutout: ImageBitmap | undefined): Region | undefined {
  const [measured, setMeasured] = useState<{ cutout: ImageBitmap; box: Region }>();
  useEffect(() => {
    if (!cutout || cutout.width === 0) return;
    const raster = readPixels(cutout, fitWithin(cutout, MEASURED_SIDE));
    const { width, height } = raster;
    const box = alphaBox(raster);
    const across = scaleRegion(box, 1 / width);
    setMeasured({ cutout, box: { ...across, top: box.top / height, height: box.height / height } });
  }, [cutout]);
  return measured?.cutout === cutout ? measured?.box : undefined;
}

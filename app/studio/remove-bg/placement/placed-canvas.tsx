'use client';

import { useCallback, useMemo } from 'react';
import type { FloatImage } from '../../../../models/core/runtime/raster.ts';
import type { Layout } from '../../../../models/operations/remove-bg/placement/lay-out-subject.ts';
import type { Shadow } from '../../../../models/operations/remove-bg/placement/place-subject.ts';
import type { Size } from '../../stage/view/stage-geometry.ts';
import { BitmapCanvas } from '../stage/bitmap-canvas.tsx';
import { castPlacedShadow, drawPlaced, readSilhouette } from './draw-placed.ts';

interface PlacedCanvasProps {
  readonly bitmap: ImageBitmap;
  readonly image: Size;
  readonly layout: Layout;
  readonly shadow: Shadow | null;
  readonly label: string;
}

/** Shows a cutout in its place on a canvas, with its shadow. */
export function PlacedCanvas({ bitmap, image, layout, shadow, label }: PlacedCanvasProps) {
  const { width, height } = image;
  const { kind, strength = 0 } = shadow ?? {};
  const map = useShadow({ bitmap, reduction: bitmap.width / width, layout, kind });
  const draw = useCallback(
    (context: CanvasRenderingContext2D, shown: ImageBitmap) =>
      drawPlaced(context, shown, { image: { width, height }, layout, shadow: map && { map, strength } }),
    [width, height, layout, map, strength],
  );
  return <BitmapCanvas bitmap={bitmap} label={label} draw={draw} />;
}

interface ShadowOptions {
  readonly bitmap: ImageBitmap;
  readonly reduction: number;
  readonly layout: Layout;
  readonly kind: Shadow['kind'] | undefined;
}

/** Casts the shadow; a drag reads no pixels again, and another strength casts none. */
function useShadow({ bitmap, reduction, layout, kind }: ShadowOptions): FloatImage | null {
  const { box } = layout;
  const isCast = kind !== undefined && bitmap.width > 0;
  const silhouette = useMemo(
    () => (isCast ? readSilhouette(bitmap, box, reduction) : null),
    [isCast, bitmap, box, reduction],
  );
  return useMemo(
    () => (silhouette && kind ? castPlacedShadow(silhouette, layout, kind) : null),
    [silhouette, layout, kind],
  );
}

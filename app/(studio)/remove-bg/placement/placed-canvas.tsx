'use client';

import { useCallback } from 'react';
import type { Layout } from '../../../../models/kernels/placement/lay-out-subject.ts';
import type { Shadow } from '../../../../models/kernels/placement/place-subject.ts';
import type { Size } from '../../stage/view/stage-geometry.ts';
import { BitmapCanvas } from '../stage/bitmap-canvas.tsx';
import { drawPlaced } from './draw-placed.ts';

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
  const draw = useCallback(
    (context: CanvasRenderingContext2D, shown: ImageBitmap) =>
      drawPlaced(context, shown, { image: { width, height }, layout, shadow }),
    [width, height, layout, shadow],
  );
  return <BitmapCanvas bitmap={bitmap} label={label} draw={draw} />;
}

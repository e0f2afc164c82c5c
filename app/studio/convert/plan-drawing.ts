import type { Geometry, ImageSize } from '../../../models/core/runtime/raster.ts';
import { isUpright, orientedSize } from '../../../models/kernels/raster/orient-raster.ts';
import { planGeometry } from '../../../models/operations/convert/geometry.ts';
import type { ConvertParams } from '../../../models/operations/convert/schema.ts';

/** Longest side of a drawing, in pixels. More would not be visible next to a result. */
export const DRAWING_SIDE_MAX = 4096;

/** Plan of a drawing of an original that shows what its result shows. */
export interface DrawingPlan {
  readonly geometry: Geometry;
  /** Pixels of the drawing for one of the result: a pixel of the original stays as large as it is. */
  readonly scale: number;
}

/** Plans the drawing of an original; null where it shows the same as its result, in whatever size. */
export function planDrawing(
  image: ImageSize,
  params: ConvertParams,
  attention?: Parameters<typeof planGeometry>[2],
): DrawingPlan | null {
  const { geometry, size } = planGeometry({ ...image, frameCount: 1 }, params, attention);
  if (!geometry) return null;
  const { crop, orientation, scaled, kept, canvas, background } = geometry;
  const isWhole = isSameSize(scaled, kept) && isSameSize(kept, canvas) && params.fit !== 'fill';
  if (!crop && isUpright(orientation) && isWhole && !background) return null;
  const turned = orientedSize(crop ?? image, orientation);
  const longest = ({ width, height }: ImageSize) => Math.max(width, height);
  const sideMax = Math.min(DRAWING_SIDE_MAX, Math.max(longest(turned), longest(size)));
  return { geometry, scale: Math.min(turned.width / scaled.width, sideMax / longest(size)) };
}

function isSameSize(one: ImageSize, other: ImageSize): boolean {
  return one.width === other.width && one.height === other.height;
}

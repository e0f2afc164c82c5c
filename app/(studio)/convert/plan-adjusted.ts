import { isUpright, type Orientation } from '../../../models/kernels/raster/orient-raster.ts';
import { type Adjustments, orientedSize, planResize } from '../../../models/kernels/resize/resize-plan.ts';
import type { Size } from '../stage/view/stage-geometry.ts';

/** Where an original is drawn, so that it shows what its result shows. */
export interface AdjustedPlan {
  /** Size of the drawing, in which a pixel of the original stays as wide as it is. */
  readonly canvas: Size;
  /** Size of the whole original around the middle of the drawing, after its turn. */
  readonly drawn: Size;
  readonly orientation: Orientation;
}

const UPRIGHT: Orientation = { quarterTurns: 0, isMirrored: false };

/**
 * Plans the drawing of an original whose result was turned, mirrored, cut or distorted.
 * @returns null where the original shows the same already, in whatever size
 */
export function planAdjusted(
  size: Size,
  { orientation = UPRIGHT, resizing }: Adjustments,
): AdjustedPlan | null {
  const turned = orientedSize(size, orientation);
  const { scaled, kept } = planResize(turned, resizing);
  const [across, down] = [turned.width / scaled.width, turned.height / scaled.height];
  const isCut = kept.width < scaled.width || kept.height < scaled.height;
  const isDistorted = resizing?.by === 'pixels' && resizing.fit === 'stretch';
  if (isUpright(orientation) && !isCut && !isDistorted) return null;
  const side = (length: number) => Math.max(1, Math.round(length));
  return {
    canvas: { width: side(kept.width * across), height: side(kept.height * (isDistorted ? across : down)) },
    drawn: { width: turned.width, height: isDistorted ? scaled.height * across : turned.height },
    orientation,
  };
}

import type { FloatImage } from '../../core/runtime/raster.ts';
import type { Extent, Margins } from './geometry.ts';

/** Depth of the strip along a border that is looked at, as a share of the side across. */
const DEPTH_SHARE = 0.02;
/** Opacity from which on a strip shows the subject, and the share of a border from which on it cuts one. */
const CUT = { opacity: 0.5, share: 0.06 };

/**
 * Returns the sides of an image that are extended, and at which its subject is cut.
 * @param mask one channel, 0 to 1, over the image, at any size
 */
export function findCutSides(mask: FloatImage, { width, height, kept }: Extent): readonly (keyof Margins)[] {
  const added: Margins = {
    left: kept.left,
    top: kept.top,
    right: width - kept.left - kept.width,
    bottom: height - kept.top - kept.height,
  };
  return (['left', 'top', 'right', 'bottom'] as const).filter(
    (side) => added[side] > 0 && coveredShare(mask, side) >= CUT.share,
  );
}

/** Returns the share of a border along which the subject reaches it. */
function coveredShare({ width, height, data }: FloatImage, side: keyof Margins): number {
  const isColumn = side === 'left' || side === 'right';
  const [length, across] = isColumn ? [height, width] : [width, height];
  const depth = Math.max(1, Math.round(across * DEPTH_SHARE));
  const start = side === 'left' || side === 'top' ? 0 : across - depth;
  let covered = 0;
  for (let along = 0; along < length; along++) {
    let sum = 0;
    for (let inward = start; inward < start + depth; inward++) {
      sum += data[isColumn ? along * width + inward : inward * width + along];
    }
    if (sum / depth >= CUT.opacity) covered += 1;
  }
  return covered / length;
}

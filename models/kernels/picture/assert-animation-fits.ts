import { OperationError } from '../../core/operation/errors.ts';
import type { ImageSize } from '../../core/runtime/raster.ts';

/** Limit on frames times pixels: an encoder holds all frames. */
const ANIMATION_PIXELS_MAX = 75_000_000;

/**
 * Checks that an encoder can hold all frames of an image.
 * @throws OperationError `unprocessable` when it could not
 */
export function assertAnimationFits({ width, height }: ImageSize, frames: number): void {
  if (width * height * frames <= ANIMATION_PIXELS_MAX) return;
  throw new OperationError(
    'unprocessable',
    `The image has ${frames} frames of ${width} x ${height} pixels, more than can be held in memory. Send fewer or smaller frames.`,
  );
}

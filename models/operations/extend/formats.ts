import { OperationError } from '../../core/operation/errors.ts';
import type { ImageSize } from '../../core/runtime/raster.ts';
import { assertFitsFormat } from '../../media/image/format-sides.ts';

export const OUTPAINT_FORMATS = ['png', 'jpeg', 'jpg', 'webp'] as const;
export type OutpaintFormat = (typeof OUTPAINT_FORMATS)[number];

/** Most pixels of a result. */
const PIXELS_MAX = 150_000_000;
/** @throws OperationError `bad_request` when a result is too large, or too large for its format */
export function assertResultSize({ width, height }: ImageSize, format: OutpaintFormat): void {
  if (width * height > PIXELS_MAX) {
    throw new OperationError(
      'bad_request',
      `expand_left, expand_right, expand_top, expand_bottom: the result has ${width} x ${height} pixels. At most ${PIXELS_MAX / 1_000_000} megapixels are allowed.`,
    );
  }
  assertFitsFormat({ width, height }, format);
}

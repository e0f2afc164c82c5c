import { OperationError } from '../errors.ts';
import type { ImageSize } from '../raster.ts';

export const OUTPAINT_FORMATS = ['png', 'jpeg', 'jpg', 'webp'] as const;
export type OutpaintFormat = (typeof OUTPAINT_FORMATS)[number];

/** Most pixels of a result. */
const PIXELS_MAX = 150_000_000;
/** Most pixels per side that a format holds. */
const SIDES_MAX: Readonly<Partial<Record<OutpaintFormat, number>>> = {
  jpeg: 65_500,
  jpg: 65_500,
  webp: 16_383,
};

/** @throws OperationError `bad_request` when a result is too large, or too large for its format */
export function checkSize({ width, height }: ImageSize, format: OutpaintFormat): void {
  const size = `the result has ${width} x ${height} pixels`;
  if (width * height > PIXELS_MAX) {
    throw new OperationError(
      'bad_request',
      `expand_left, expand_right, expand_top, expand_bottom: ${size}. At most ${PIXELS_MAX / 1_000_000} megapixels are allowed.`,
    );
  }
  const sideMax = SIDES_MAX[format] ?? Number.POSITIVE_INFINITY;
  if (Math.max(width, height) <= sideMax) return;
  throw new OperationError(
    'bad_request',
    `output_format: ${format} holds at most ${sideMax} pixels per side, but ${size}. Choose png.`,
    { kind: 'too_large_for_format' },
  );
}

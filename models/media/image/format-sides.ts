import { fieldError } from '../../core/operation/errors.ts';
import type { ImageSize } from '../../core/runtime/raster.ts';
import { findTarget } from './find-format.ts';

/**
 * Checks that a format can hold a result.
 * @param format as the request names it
 * @throws OperationError `bad_request` naming `output_format`
 */
export function assertFitsFormat({ width, height }: ImageSize, format: string): void {
  const sideMax = findTarget(format)?.sideMax ?? Number.POSITIVE_INFINITY;
  if (Math.max(width, height) <= sideMax) return;
  throw fieldError(
    'output_format',
    `${format} holds at most ${sideMax} pixels per side, but the result has ${width} x ${height}. Choose png.`,
    { kind: 'too_large_for_format' },
  );
}

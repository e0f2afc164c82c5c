import type { Raster8 } from '../../core/runtime/raster.ts';
import type { Region } from './crop-raster.ts';

/**
 * Returns the smallest rectangle that contains all differences between two rasters of one size, extended to even
 * coordinates, where WebP allows a frame to begin. Two equal rasters still differ in the first pixels, as a frame
 * cannot be empty.
 */
export function changedRegion(before: Raster8, after: Raster8): Region {
  const { width, height } = after;
  const [one, other] = [getPixels(before), getPixels(after)];
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    const start = y * width;
    let first = 0;
    while (first < width && one[start + first] === other[start + first]) first++;
    if (first === width) continue;
    let last = width - 1;
    while (one[start + last] === other[start + last]) last--;
    left = Math.min(left, first);
    right = Math.max(right, last);
    top = Math.min(top, y);
    bottom = y;
  }
  if (right < 0) return { left: 0, top: 0, width: Math.min(2, width), height: Math.min(2, height) };
  left -= left % 2;
  top -= top % 2;
  return { left, top, width: right + 1 - left, height: bottom + 1 - top };
}

/** Views four samples as one number. */
function getPixels({ data }: Raster8): Uint32Array {
  const aligned = data.byteOffset % 4 === 0 ? data : data.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

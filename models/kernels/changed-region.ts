import type { Region } from './crop-raster.ts';
import type { Raster8 } from './opaque.ts';

/**
 * The smallest rectangle beyond which two rasters of one size are the same, drawn out to even coordinates, which is
 * where WebP lets a frame begin. Two equal rasters still differ in the first pixels, as a frame cannot be empty.
 */
export function changedRegion(before: Raster8, after: Raster8): Region {
  const { width, height } = after;
  const [one, other] = [pixelsOf(before), pixelsOf(after)];
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

/** Four samples as one number. */
function pixelsOf({ data }: Raster8): Uint32Array {
  const aligned = data.byteOffset % 4 === 0 ? data : data.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

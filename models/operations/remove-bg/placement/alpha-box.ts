import type { Raster8 } from '../../../core/runtime/raster.ts';
import type { Region } from '../../../kernels/raster/crop-raster.ts';

/** Alpha out of 255 from which a pixel is visible: the rims of soft edges are not. */
const VISIBLE_FROM = 13;

/** Returns the bounding box of the visible pixels; of all pixels where none is visible. */
export function alphaBox({ width, height, data }: Raster8): Region {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let y = 0; y < height; y++) {
    const start = y * width * 4 + 3;
    let first = 0;
    while (first < width && data[start + first * 4] < VISIBLE_FROM) first++;
    if (first === width) continue;
    let last = width - 1;
    while (data[start + last * 4] < VISIBLE_FROM) last--;
    left = Math.min(left, first);
    right = Math.max(right, last);
    if (top < 0) top = y;
    bottom = y;
  }
  if (right < 0) return { left: 0, top: 0, width, height };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

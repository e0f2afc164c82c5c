import type { FloatImage } from '../../../core/runtime/raster.ts';
import type { Region } from '../../../kernels/raster/crop-raster.ts';

/** Certainty of a matte, per pixel. The values are bits, so that pixels agree when they share one; 0 is uncertain. */
export type Trimap = Uint8Array;
export const BACKGROUND = 1;
export const FOREGROUND = 2;

/**
 * Block sizes for regions: small enough to follow an outline, and large compared with the border that callers add.
 */
const BLOCK = { least: 32, reaches: 3 };

/**
 * Classifies a matte's pixels.
 * @param matte one channel: values up to `clear` are clear, values from `solid` are solid
 */
export function computeTrimap({ data }: FloatImage, clear: number, solid: number): Trimap {
  const trimap = new Uint8Array(data.length);
  for (let place = 0; place < data.length; place++) {
    const value = data[place];
    trimap[place] = value <= clear ? BACKGROUND : value >= solid ? FOREGROUND : 0;
  }
  return trimap;
}

/**
 * Returns non-overlapping rectangles that cover every pixel with more than one kind of certainty within reach.
 * @param reach pixels to each side
 * @returns from the top, each at most one block high
 */
export function unknownRegions(
  trimap: Trimap,
  { width, height }: { readonly width: number; readonly height: number },
  reach: number,
): Region[] {
  const side = Math.max(BLOCK.least, reach * BLOCK.reaches);
  const regions: Region[] = [];
  for (let top = 0; top < height; top += side) {
    const rows = Math.min(side, height - top);
    let left = -1;
    for (let x = 0; x < width + side; x += side) {
      const block = { left: x, top, width: side, height: rows };
      const isUndecided = x < width && !isCertain(trimap, width, growRegion(block, reach, { width, height }));
      if (isUndecided && left < 0) left = x;
      if (isUndecided || left < 0) continue;
      regions.push({ left, top, width: Math.min(x, width) - left, height: rows });
      left = -1;
    }
  }
  return regions;
}

/** Grows a region by a border, clipped to the image. */
export function growRegion(
  { left, top, width, height }: Region,
  border: number,
  picture: { readonly width: number; readonly height: number },
): Region {
  const x = Math.max(0, left - border);
  const y = Math.max(0, top - border);
  return {
    left: x,
    top: y,
    width: Math.min(picture.width, left + width + border) - x,
    height: Math.min(picture.height, top + height + border) - y,
  };
}

/** Reports whether all pixels of a region share a kind. */
function isCertain(trimap: Trimap, stride: number, { left, top, width, height }: Region): boolean {
  let kind = BACKGROUND | FOREGROUND;
  for (let y = top; y < top + height; y++) {
    for (let at = y * stride + left, end = at + width; at < end; at++) kind &= trimap[at];
    if (kind === 0) return false;
  }
  return true;
}

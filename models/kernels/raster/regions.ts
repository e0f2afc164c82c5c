import type { Raster8 } from '../../raster.ts';
import type { Region } from './crop-raster.ts';

/**
 * Reports whether two rasters of one size agree in a region.
 * @param region may extend beyond the rasters; what is outside counts as equal
 * @param steps difference of a sample that is allowed
 */
export function isAlike(one: Raster8, other: Raster8, region: Region, steps: number): boolean {
  const { left, right, top, bottom } = inside(one, region);
  for (let y = top; y < bottom; y++) {
    const end = (y * one.width + right) * 4;
    for (let at = (y * one.width + left) * 4; at < end; at++) {
      const difference = (one.data[at] as number) - (other.data[at] as number);
      if (difference > steps || difference < -steps) return false;
    }
  }
  return true;
}

/** Copies a region between two rasters of one size; what is outside them is left out. */
export function copyRegion(from: Raster8, to: Raster8, region: Region): void {
  const { left, right, top, bottom } = inside(from, region);
  for (let y = top; y < bottom; y++) {
    const start = (y * from.width + left) * 4;
    to.data.set(from.data.subarray(start, (y * from.width + right) * 4), start);
  }
}

function inside({ width, height }: Raster8, region: Region) {
  return {
    left: Math.max(0, region.left),
    right: Math.min(width, region.left + region.width),
    top: Math.max(0, region.top),
    bottom: Math.min(height, region.top + region.height),
  };
}

import type { Region } from '../../../kernels/raster/crop-raster.ts';

/** Plan that cuts an image into equal tiles, row by row. The last column and row may extend past its edge. */
export interface TilePlan {
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly columns: number;
  readonly rows: number;
}

export interface TileLimits {
  /** An image within these limits on samples and on sides stays a single image. */
  readonly pictureSamplesMax: number;
  readonly pictureSideMax: number;
  /** Side of the tiles of a larger image. */
  readonly tileSide: number;
}

/** Encoders with 4:2:0 need even sides, and none much below a coding tree unit. */
const SIDE_MIN = 64;

/**
 * Plans the tiles.
 * @param size in samples, both at least 1
 */
export function planTiles(
  size: { readonly width: number; readonly height: number },
  limits: TileLimits,
): TilePlan {
  const { width, height } = size;
  const evenSide = (side: number): number => Math.max(SIDE_MIN, side + (side % 2));
  const isOne =
    width * height <= limits.pictureSamplesMax && Math.max(width, height) <= limits.pictureSideMax;
  const most = isOne ? limits.pictureSideMax : limits.tileSide;
  const tileWidth = Math.min(most, evenSide(width));
  const tileHeight = Math.min(most, evenSide(height));
  return {
    tileWidth,
    tileHeight,
    columns: Math.ceil(width / tileWidth),
    rows: Math.ceil(height / tileHeight),
  };
}

export function tileRegions({ tileWidth, tileHeight, columns, rows }: TilePlan): Region[] {
  return Array.from({ length: columns * rows }, (_, index) => ({
    left: (index % columns) * tileWidth,
    top: Math.floor(index / columns) * tileHeight,
    width: tileWidth,
    height: tileHeight,
  }));
}

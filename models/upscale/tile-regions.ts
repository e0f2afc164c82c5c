import type { Region } from '../kernels/raster/crop-raster.ts';
import type { Tile } from '../kernels/raster/tiles.ts';
import type { UpscaleNetwork } from './networks.ts';

/** Returns a tile with its surroundings, in input pixels; it may extend beyond the image. */
export function surroundingsOf(row: Tile, column: Tile, margin: number): Region {
  return {
    left: column.start - margin,
    top: row.start - margin,
    width: column.length + 2 * margin,
    height: row.length + 2 * margin,
  };
}

/** Returns the part of an enlarged tile that counts: without its surroundings, and within the image. */
export function innerRegion(row: Tile, column: Tile, { scale, margin }: UpscaleNetwork): Region {
  return {
    left: margin * scale,
    top: margin * scale,
    width: column.used * scale,
    height: row.used * scale,
  };
}

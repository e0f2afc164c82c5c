import { tilesOf } from '../kernels/raster/tiles.ts';
import type { ImageSize } from '../raster.ts';
import type { UpscaleNetwork } from './networks.ts';
import { spanAround } from './tile-regions.ts';

/** Returns the pixels that a network computes for an image, with the surroundings of its tiles. */
export function tiledPixels({ width, height }: ImageSize, network: UpscaleNetwork): number {
  const { tileSide, multipleOf } = network;
  const along = (length: number) => {
    const tiles = tilesOf(length, tileSide, multipleOf);
    return tiles.reduce((sum, tile) => sum + spanAround(tile, length, network).length, 0);
  };
  return along(width) * along(height);
}

import type { ImageSize } from '../../core/runtime/raster.ts';
import { tilesOf } from './enlarge/tiles.ts';
import type { UpscaleNetwork } from './networks.ts';
import { spanWithMargin } from './tile-regions.ts';

/** Returns the pixels that a network computes for an image, with the surroundings of its tiles. */
export function tiledPixels({ width, height }: ImageSize, network: UpscaleNetwork): number {
  const { tileSide, multipleOf } = network;
  const along = (length: number) => {
    const tiles = tilesOf(length, tileSide, multipleOf);
    return tiles.reduce((sum, tile) => sum + spanWithMargin(tile, length, network).length, 0);
  };
  return along(width) * along(height);
}

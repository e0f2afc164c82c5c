import type { Raster } from '../../../core/runtime/raster.ts';
import type { Region } from '../../../kernels/raster/crop-raster.ts';

/** Makes an empty canvas with an image in its place, of the same depth. */
export function placeRaster(
  { data }: Raster,
  { width, height, kept }: { readonly width: number; readonly height: number; readonly kept: Region },
): Raster {
  const size = width * height * 4;
  const placed = data instanceof Uint16Array ? new Uint16Array(size) : new Uint8Array(size);
  for (let y = 0; y < kept.height; y++) {
    const row = data.subarray(y * kept.width * 4, (y + 1) * kept.width * 4);
    placed.set(row, ((kept.top + y) * width + kept.left) * 4);
  }
  return { width, height, data: placed };
}

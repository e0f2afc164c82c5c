import type { Raster8 } from '../../core/runtime/raster.ts';

/** Makes odd sides even by repeating the last column and row: half-size chroma covers two by two pixels. */
export function evenSides<Kind extends Raster8>(raster: Kind): Kind {
  const width = raster.width + (raster.width % 2);
  const height = raster.height + (raster.height % 2);
  if (width === raster.width && height === raster.height) return raster;
  const data = new Uint8Array(width * height * 4);
  const row = raster.width * 4;
  for (let y = 0; y < height; y++) {
    const from = Math.min(y, raster.height - 1) * row;
    data.set(raster.data.subarray(from, from + row), y * width * 4);
    if (width > raster.width) {
      data.set(raster.data.subarray(from + row - 4, from + row), y * width * 4 + row);
    }
  }
  return { ...raster, width, height, data };
}

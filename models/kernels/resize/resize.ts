import type { FloatImage, Raster, Raster8 } from '../../core/runtime/raster.ts';
import { type RowSource, rowsOf } from '../raster/row-source.ts';
import { CELL_SIDE_MAX, cellColours } from './cell-colours.ts';
import { resizedRows, type Size } from './resize-rows.ts';

/** Reduction left after averaging cells: enough for the triangle filter to hide their borders. */
const LEFT_TO_FILTER = 1.9;

/**
 * Resizes the colours of a raster, red, green, blue from 0 to 1, without aliasing: a triangle filter as wide as the
 * reduction (bilinear for enlargement), over the means of cells for a large reduction. Transparent pixels count as
 * white. Memory: the result and a few rows.
 */
export function resizeColours(raster: Raster, width: number, height: number): FloatImage {
  return imageOf(colourRows(raster, width, height));
}

/** Resizes the colours of a raster as `resizeColours` does, row by row. */
export function colourRows(raster: Raster, width: number, height: number): RowSource {
  const reduction = Math.min(raster.width / width, raster.height / height);
  const side = Math.max(1, Math.min(CELL_SIDE_MAX, Math.floor(reduction / LEFT_TO_FILTER)));
  const extent = { width: raster.width / side, height: raster.height / side };
  return resizedRows(cellColours(raster, side), width, height, extent);
}

/** Resizes the alpha of a raster, one channel from 0 to 1, by the same filter. */
export function resizeAlpha(raster: Raster, width: number, height: number): FloatImage {
  const { data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const read = (y: number, row: Float32Array) => {
    const from = y * raster.width * 4 + 3;
    for (let x = 0; x < row.length; x++) row[x] = data[from + x * 4] / most;
  };
  const source = { width: raster.width, height: raster.height, channels: 1, read };
  return imageOf(resizedRows(source, width, height));
}

/** Resizes a raster to 8 bits by the same filter; colours of half-transparent pixels are mixed with white. */
export function resizeRaster(raster: Raster, width: number, height: number): Raster8 {
  const colours = resizeColours(raster, width, height).data;
  const alphas = resizeAlpha(raster, width, height).data;
  const data = new Uint8Array(width * height * 4);
  for (let place = 0; place < alphas.length; place++) {
    for (let channel = 0; channel < 3; channel++) {
      data[place * 4 + channel] = Math.round(colours[place * 3 + channel] * 255);
    }
    data[place * 4 + 3] = Math.round(alphas[place] * 255);
  }
  return { width, height, data };
}

/** Resizes a float image by the same filter. */
export function resizeImage(image: FloatImage, width: number, height: number): FloatImage {
  if (image.width === width && image.height === height) return image;
  return imageOf(resizedRows(rowsOf(image), width, height));
}

/** Returns the size of the same shape whose longer side is at most `sideMax`; never larger than the original. */
export function fitWithin(size: Size, sideMax: number): Size {
  const scale = Math.min(1, sideMax / Math.max(size.width, size.height));
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}

function imageOf({ width, height, channels, read }: RowSource): FloatImage {
  const length = width * channels;
  const data = new Float32Array(length * height);
  for (let y = 0; y < height; y++) read(y, data.subarray(y * length, (y + 1) * length));
  return { width, height, channels, data };
}

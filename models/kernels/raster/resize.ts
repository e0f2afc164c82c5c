import type { FloatImage, ImageSize, PixelRegion, Raster, Raster8 } from '../../core/runtime/raster.ts';
import { getRows, type RowSource } from './picture.ts';
import { resizedRows } from './resize-rows.ts';

/** Neighbours of a sample, and its distance from the first, 0 to 1. */
interface Place {
  readonly before: number;
  readonly after: number;
  readonly share: number;
}

/** Largest side whose sums fit into two lanes of a 32-bit word: 16 x 16 x 255 stays below 65,536. */
export const CELL_SIDE_MAX = 16;
/** Masks of two samples of a packed pixel, each with room for its sum. */
const LANES = 0x00ff00ff;
const LANE = 0xffff;

/** Pixel rows that produce one row of cells. */
interface Band {
  readonly top: number;
  readonly bottom: number;
  readonly side: number;
}

/** Reduction left after averaging cells: enough for the triangle filter to hide their borders. */
const LEFT_TO_FILTER = 1.9;

/**
 * Resizes the colours of a raster, red, green, blue from 0 to 1, without aliasing: a triangle filter as wide as the
 * reduction (bilinear for enlargement), over the means of cells for a large reduction. Transparent pixels count as
 * white. Memory: the result and a few rows.
 */
export function resizeColours(raster: Raster, width: number, height: number): FloatImage {
  return getImage(colourRows(raster, width, height));
}

/** Resizes the colours of a raster as `resizeColours` does, row by row. */
export function colourRows(raster: Raster, width: number, height: number): RowSource {
  const reduction = Math.min(raster.width / width, raster.height / height);
  const side = Math.max(1, Math.min(CELL_SIDE_MAX, Math.floor(reduction / LEFT_TO_FILTER)));
  const extent = { width: raster.width / side, height: raster.height / side };
  return resizedRows(cellColours(raster, side), width, height, { extent });
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
  return getImage(resizedRows(source, width, height));
}

/** Resizes a raster to 8 bits by the same filter; colours of half-transparent pixels are mixed with white. */
export function resizeRaster(raster: Raster, width: number, height: number): Raster8 {
  const colours = resizeColours(raster, width, height).data;
  const alphas = resizeAlpha(raster, width, height).data;
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < alphas.length; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      data[pixel * 4 + channel] = Math.round(colours[pixel * 3 + channel] * 255);
    }
    data[pixel * 4 + 3] = Math.round(alphas[pixel] * 255);
  }
  return { width, height, data };
}

/** Resizes a float image by the same filter. */
export function resizeImage(image: FloatImage, width: number, height: number): FloatImage {
  if (image.width === width && image.height === height) return image;
  return getImage(resizedRows(getRows(image), width, height));
}

/**
 * Resizes a float image by the same filter to `width` x `height`, and returns a region of the result. Memory: that of
 * the region and a few rows, however large the whole would be.
 */
export function resizeRegion(
  image: FloatImage,
  { width, height }: ImageSize,
  region: PixelRegion,
): FloatImage {
  return getImage(resizedRows(getRows(image), width, height, { region }));
}

/** Returns the size of the same shape whose longer side is at most `sideMax`; never larger than the original. */
export function fitWithin(size: ImageSize, sideMax: number): ImageSize {
  const scale = Math.min(1, sideMax / Math.max(size.width, size.height));
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}

function getImage({ width, height, channels, read }: RowSource): FloatImage {
  const length = width * channels;
  const data = new Float32Array(length * height);
  for (let y = 0; y < height; y++) read(y, data.subarray(y * length, (y + 1) * length));
  return { width, height, channels, data };
}

/**
 * Computes the mean colours of a raster's cells of `side` x `side` pixels (clipped at its right and lower border),
 * red, green, blue from 0 to 1. Transparent pixels count as white. Reading a large photo consists mostly of this, so
 * opaque 8-bit pixels are read as one word and summed two samples at a time.
 * @param side 1 to `CELL_SIDE_MAX`
 */
export function cellColours(raster: Raster, side: number): RowSource {
  const words = packed(raster);
  return {
    width: Math.ceil(raster.width / side),
    height: Math.ceil(raster.height / side),
    channels: 3,
    read(y, row) {
      const band = { top: y * side, bottom: Math.min(raster.height, y * side + side), side };
      if (!words || !sumPacked(words, raster.width, band, row)) mixWithWhite(raster, band, row);
    },
  };
}

/** One word per pixel, red lowest: all supported platforms are little-endian. */
function packed({ data }: Raster): Uint32Array | null {
  if (data instanceof Uint16Array || data.byteOffset % 4 !== 0) return null;
  return new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
}

/**
 * Sums a band.
 * @returns whether it is opaque; otherwise the output is meaningless
 */
function sumPacked(words: Uint32Array, width: number, band: Band, row: Float32Array): boolean {
  const inPairs = band.side === 2 && band.bottom - band.top === 2 ? width - (width % 2) : 0;
  return sumPairs(words, width, band.top, inPairs, row) && sumCells(words, width, band, inPairs, row);
}

/** Sums cells of 2 x 2, the size for phone photos, without inner loops, which would cost more than the sums. */
function sumPairs(words: Uint32Array, width: number, top: number, end: number, row: Float32Array): boolean {
  const above = top * width;
  const below = above + width;
  for (let left = 0, at = 0; left < end; left += 2, at += 3) {
    const a = words[above + left];
    const b = words[above + left + 1];
    const c = words[below + left];
    const d = words[below + left + 1];
    const redBlue = (a & LANES) + (b & LANES) + (c & LANES) + (d & LANES);
    const greenAlpha = ((a >>> 8) & LANES) + ((b >>> 8) & LANES) + ((c >>> 8) & LANES) + ((d >>> 8) & LANES);
    if (greenAlpha >>> 16 !== 1020) return false;
    row[at] = (redBlue & LANE) / 1020;
    row[at + 1] = (greenAlpha & LANE) / 1020;
    row[at + 2] = (redBlue >>> 16) / 1020;
  }
  return true;
}

function sumCells(
  words: Uint32Array,
  width: number,
  { top, bottom, side }: Band,
  from: number,
  row: Float32Array,
): boolean {
  const first = top * width;
  const end = bottom * width;
  for (let left = from, at = (from / side) * 3; left < width; left += side, at += 3) {
    const right = Math.min(width, left + side);
    let redBlue = 0;
    let greenAlpha = 0;
    for (let start = first; start < end; start += width) {
      for (let pixel = start + left; pixel < start + right; pixel++) {
        const word = words[pixel];
        redBlue = (redBlue + (word & LANES)) | 0;
        greenAlpha = (greenAlpha + ((word >>> 8) & LANES)) | 0;
      }
    }
    const most = (right - left) * (bottom - top) * 255;
    if (greenAlpha >>> 16 !== most) return false;
    row[at] = (redBlue & LANE) / most;
    row[at + 1] = (greenAlpha & LANE) / most;
    row[at + 2] = (redBlue >>> 16) / most;
  }
  return true;
}

function mixWithWhite({ width, data }: Raster, { top, bottom, side }: Band, row: Float32Array): void {
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  for (let left = 0, at = 0; left < width; left += side, at += 3) {
    const right = Math.min(width, left + side);
    let red = 0;
    let green = 0;
    let blue = 0;
    for (let y = top; y < bottom; y++) {
      for (let from = (y * width + left) * 4, end = (y * width + right) * 4; from < end; from += 4) {
        const opacity = data[from + 3] / most;
        red += (data[from] - most) * opacity;
        green += (data[from + 1] - most) * opacity;
        blue += (data[from + 2] - most) * opacity;
      }
    }
    const total = (right - left) * (bottom - top) * most;
    row[at] = 1 + red / total;
    row[at + 1] = 1 + green / total;
    row[at + 2] = 1 + blue / total;
  }
}

/**
 * Resizes an image bilinearly with aligned corners: the centres of the corner pixels stay the corners. Does not
 * average, so a reduction aliases: only for networks that were trained on such images (TensorFlow's `resize_bilinear`
 * with `align_corners`).
 */
export function resizeAligned(image: FloatImage, width: number, height: number): FloatImage {
  const { channels, data } = image;
  const resized = new Float32Array(width * height * channels);
  const columns = places(image.width, width);
  const rows = places(image.height, height);
  const rowLength = image.width * channels;
  for (let y = 0, to = 0; y < height; y++) {
    const { before: top, after: bottom, share: down } = rows[y];
    for (let x = 0; x < width; x++) {
      const { before: left, after: right, share: along } = columns[x];
      for (let channel = 0; channel < channels; channel++, to++) {
        const at = (row: number, column: number) => data[row * rowLength + column * channels + channel];
        const upper = at(top, left) + (at(top, right) - at(top, left)) * along;
        const lower = at(bottom, left) + (at(bottom, right) - at(bottom, left)) * along;
        resized[to] = upper + (lower - upper) * down;
      }
    }
  }
  return { width, height, channels, data: resized };
}

function places(from: number, to: number): readonly Place[] {
  const step = to > 1 ? (from - 1) / (to - 1) : 0;
  return Array.from({ length: to }, (_, at) => {
    const position = at * step;
    const before = Math.min(from - 1, Math.floor(position));
    return { before, after: Math.min(from - 1, before + 1), share: position - before };
  });
}

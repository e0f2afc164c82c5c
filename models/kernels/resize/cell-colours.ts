import type { Raster } from '../../core/runtime/raster.ts';
import type { RowSource } from '../raster/row-source.ts';

/** Largest side whose sums fit into two lanes of a 32-bit word: 16 x 16 x 255 stays below 65,536. */
export const CELL_SIDE_MAX = 16;

/** Masks of two samples of a packed pixel, each with room for its sum. */
const LANES = 0x00ff00ff;
const LANE = 0xffff;

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

/** Pixel rows that produce one row of cells. */
interface Band {
  readonly top: number;
  readonly bottom: number;
  readonly side: number;
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
      for (let place = start + left; place < start + right; place++) {
        const word = words[place];
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

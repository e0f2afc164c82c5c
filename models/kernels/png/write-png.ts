import type { Raster } from '../../raster.ts';
import { type Bytes, concat, u8, u32 } from '../byte-writer.ts';
import { samplesAsBytes } from '../sample-bytes.ts';
import { PNG_SIGNATURE, writePngChunk } from './chunks.ts';

/** Packs bytes, given in pieces, into one zlib stream. */
export type Deflate = (pieces: Iterable<Bytes>) => Promise<Bytes>;

const TRUE_COLOUR = 2;
const TRUE_COLOUR_ALPHA = 6;

/** Rows that are filtered before they are packed, so that a large picture never stands in memory twice. */
const BAND_ROWS = 64;

/** Filter types: PNG, third edition, 9.2. `None` and `Average` hardly ever win. */
const SUB = 1;
const UP = 2;
const PAETH = 4;

/**
 * A PNG of 8 or 16 bits a sample, exactly as the raster is.
 * @param onProgress gets the fraction of the rows that are filtered, 0 to 1
 * @returns the whole file
 */
export async function writePng(
  raster: Raster,
  hasAlpha: boolean,
  deflate: Deflate,
  onProgress: (fraction: number) => void = () => {},
): Promise<Bytes> {
  const { width, height, data } = raster;
  const bitDepth = data instanceof Uint16Array ? 16 : 8;
  const head = concat([
    u32(width, height),
    u8(bitDepth, hasAlpha ? TRUE_COLOUR_ALPHA : TRUE_COLOUR, 0, 0, 0),
  ]);
  const packed = await deflate(filteredBands(raster, hasAlpha ? 4 : 3, onProgress));
  return concat([
    PNG_SIGNATURE,
    writePngChunk('IHDR', head),
    writePngChunk('IDAT', packed),
    writePngChunk('IEND'),
  ]);
}

function* filteredBands(
  raster: Raster,
  channels: 3 | 4,
  onProgress: (fraction: number) => void,
): Generator<Bytes> {
  const pixelBytes = (raster.data instanceof Uint16Array ? 2 : 1) * channels;
  const rowBytes = raster.width * pixelBytes;
  let above: Bytes = new Uint8Array(rowBytes);
  for (let top = 0; top < raster.height; top += BAND_ROWS) {
    const rows = Math.min(BAND_ROWS, raster.height - top);
    const samples = samplesAsBytes(raster, channels, { top, rows, order: 'big' });
    const band = new Uint8Array(rows * (1 + rowBytes));
    for (let y = 0; y < rows; y++) {
      const row = samples.subarray(y * rowBytes, (y + 1) * rowBytes);
      band.set(bestFiltered(row, above, pixelBytes), y * (1 + rowBytes));
      above = row;
    }
    yield band;
    onProgress((top + rows) / raster.height);
  }
}

/** The filter whose signed sum is least: PNG, third edition, 12.7. @returns filter type, then the filtered row */
function bestFiltered(row: Bytes, above: Bytes, pixelBytes: number): Bytes {
  let best: Bytes = new Uint8Array(0);
  let bestCost = Number.POSITIVE_INFINITY;
  for (const filter of [SUB, UP, PAETH]) {
    const filtered = applyFilter(filter, row, above, pixelBytes);
    let cost = 0;
    for (let at = 1; at < filtered.length; at++) {
      const byte = filtered[at] as number;
      cost += byte < 128 ? byte : 256 - byte;
    }
    if (cost >= bestCost) continue;
    best = filtered;
    bestCost = cost;
  }
  return best;
}

function applyFilter(filter: number, row: Bytes, above: Bytes, pixelBytes: number): Bytes {
  const filtered = new Uint8Array(1 + row.length);
  filtered[0] = filter;
  for (let at = 0; at < row.length; at++) {
    const left = at < pixelBytes ? 0 : (row[at - pixelBytes] as number);
    const up = above[at] as number;
    const upLeft = at < pixelBytes ? 0 : (above[at - pixelBytes] as number);
    const predicted = filter === SUB ? left : filter === UP ? up : paeth(left, up, upLeft);
    filtered[at + 1] = (row[at] as number) - predicted;
  }
  return filtered;
}

/** PNG, third edition, 9.4. */
export function paeth(left: number, up: number, upLeft: number): number {
  const toLeft = Math.abs(up - upLeft);
  const toUp = Math.abs(left - upLeft);
  const toUpLeft = Math.abs(left + up - 2 * upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

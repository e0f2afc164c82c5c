import type { ReportProgress } from '../../../core/runtime/progress.ts';
import type { StripImage } from '../../../kernels/raster/picture.ts';
import { type Bytes, concat, u8, u32 } from '../../bytes/byte-writer.ts';
import { samplesAsBytes } from '../../bytes/sample-bytes.ts';
import type { Deflate } from '../../bytes/zlib.ts';
import { PNG_SIGNATURE, writePngChunk } from './chunks.ts';

const TRUE_COLOUR = 2;
const TRUE_COLOUR_ALPHA = 6;

/** Rows that are filtered before compression, so that a large strip never occupies memory twice. */
const BAND_ROWS = 64;

/** Compressed bytes from which a chunk is written. */
const CHUNK_BYTES = 1 << 20;

/** Sampling step: one of this many pixels decides a row's filter. */
const SAMPLED_PIXELS = 4;

/** Filter types: PNG, third edition, 9.2. `None` and `Average` hardly ever win. */
const SUB = 1;
const UP = 2;
const PAETH = 4;

/**
 * Writes a PNG of 8 or 16 bits per sample, lossless. Memory: a strip, and the compressed file once, as
 * blobs.
 * @param onProgress receives the share of filtered rows
 * @returns the parts of the file in order: its head, which metadata follow, and the rest
 */
export async function writePng(
  image: StripImage,
  hasAlpha: boolean,
  deflate: Deflate,
  onProgress: ReportProgress = () => {},
): Promise<readonly [Bytes, ...Blob[]]> {
  const { width, height, bitDepth } = image;
  const head = concat([
    u32(width, height),
    u8(bitDepth, hasAlpha ? TRUE_COLOUR_ALPHA : TRUE_COLOUR, 0, 0, 0),
  ]);
  const blobs: Blob[] = [];
  let pieces: Bytes[] = [];
  let length = 0;
  const store = () => {
    blobs.push(new Blob([writePngChunk('IDAT', ...pieces)]));
    pieces = [];
    length = 0;
  };
  for await (const piece of deflate(filteredBands(image, hasAlpha ? 4 : 3, onProgress))) {
    pieces.push(piece);
    length += piece.length;
    if (length >= CHUNK_BYTES) store();
  }
  if (length > 0) store();
  blobs.push(new Blob([writePngChunk('IEND')]));
  return [concat([PNG_SIGNATURE, writePngChunk('IHDR', head)]), ...blobs];
}

async function* filteredBands(
  image: StripImage,
  channels: 3 | 4,
  onProgress: ReportProgress,
): AsyncGenerator<Bytes> {
  const pixelBytes = (image.bitDepth / 8) * channels;
  const rowBytes = image.width * pixelBytes;
  let above: Bytes = new Uint8Array(rowBytes);
  let done = 0;
  for await (const strip of image.strips) {
    for (let top = 0; top < strip.height; top += BAND_ROWS) {
      const rows = Math.min(BAND_ROWS, strip.height - top);
      const samples = samplesAsBytes(strip, channels, { top, rows, order: 'big' });
      const band = new Uint8Array(rows * (1 + rowBytes));
      for (let y = 0; y < rows; y++) {
        const row = samples.subarray(y * rowBytes, (y + 1) * rowBytes);
        filterRow(row, above, pixelBytes, band.subarray(y * (1 + rowBytes), (y + 1) * (1 + rowBytes)));
        above = row;
      }
      yield band;
      done += rows;
      onProgress({ fraction: done / image.height });
    }
  }
}

/**
 * Filters a row.
 * @param into receives the filter type, then the filtered row
 */
function filterRow(row: Bytes, above: Bytes, pixelBytes: number, into: Bytes): void {
  const filter = bestFilter(row, above, pixelBytes);
  into[0] = filter;
  const filtered = into.subarray(1);
  for (let at = 0; at < pixelBytes; at++) {
    filtered[at] = row[at] - (filter === SUB ? 0 : above[at]);
  }
  if (filter === SUB) {
    for (let at = pixelBytes; at < row.length; at++) {
      filtered[at] = row[at] - row[at - pixelBytes];
    }
  } else if (filter === UP) {
    for (let at = pixelBytes; at < row.length; at++) {
      filtered[at] = row[at] - above[at];
    }
  } else {
    for (let at = pixelBytes; at < row.length; at++) {
      const left = row[at - pixelBytes];
      const predicted = paeth(left, above[at], above[at - pixelBytes]);
      filtered[at] = row[at] - predicted;
    }
  }
}

/** Chooses the filter with the smallest signed sum: PNG, third edition, 12.7. A sample of the pixels suffices. */
function bestFilter(row: Bytes, above: Bytes, pixelBytes: number): typeof SUB | typeof UP | typeof PAETH {
  let sub = 0;
  let up = 0;
  let slope = 0;
  for (let pixel = pixelBytes; pixel < row.length; pixel += pixelBytes * SAMPLED_PIXELS) {
    for (let at = pixel; at < pixel + pixelBytes; at++) {
      const sample = row[at];
      const left = row[at - pixelBytes];
      const over = above[at];
      sub += magnitude(sample - left);
      up += magnitude(sample - over);
      slope += magnitude(sample - paeth(left, over, above[at - pixelBytes]));
    }
  }
  if (sub <= up && sub <= slope) return SUB;
  return up <= slope ? UP : PAETH;
}

/** Returns the magnitude of a difference, as the byte that stores it. */
function magnitude(difference: number): number {
  const signed = (difference << 24) >> 24;
  return signed < 0 ? -signed : signed;
}

/** Predicts a sample: PNG, third edition, 9.4. */
export function paeth(left: number, up: number, upLeft: number): number {
  const toLeft = Math.abs(up - upLeft);
  const toUp = Math.abs(left - upLeft);
  const toUpLeft = Math.abs(left + up - 2 * upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

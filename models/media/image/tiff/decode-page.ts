import type { OperationError } from '../../../core/operation/errors.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { unpackLzw } from '../../bytes/lzw.ts';
import { damagedTiff } from './directory.ts';
import type { DecodedPage, TiffPage } from './page-layout.ts';
import { createPixelWriter } from './pixel-writer.ts';
import { readSampleRow } from './read-samples.ts';

const NONE = 1;

const LZW = 5;

const PACK_BITS = 32_773;

/** Compression by Zstandard, a number of libtiff's. */
export const ZSTD = 50_000;

/** Limits against crafted layouts: a strip or tile, unpacked, and how often the strips may name the same bytes. */
const STRIP_BYTES_MAX = 500_000_000;

const ROW_SAMPLES_MAX = 20_000_000;

const READS_MAX = 2;

/**
 * Limit on the bytes of all tiles, unpacked, as a multiple of those that show, next to `STRIP_BYTES_MAX`: tiles may
 * reach beyond the image. Those of 512 x 512 float pixels have 400 MB in an image of 50,000 rows and one column.
 */
const TILED_BYTES_FACTOR = 4;

/** Unpacks a zlib stream of a strip or tile; may reject one of more bytes than it should have. */
export type InflateWithin = (packed: Bytes, bytesMax: number) => Promise<Bytes>;

/**
 * Decodes a page of a kind for which `chooseTiffDecoder` returned `own`, as it lies in the file. Floating-point samples
 * are mapped when all lie in 0 to 1; L*a*b* becomes sRGB.
 * @param depth bits per sample of the result; 8 only where `isShallow` says so
 * @throws OperationError `unprocessable` when it is damaged, or its floating-point samples lie elsewhere
 */
export async function decodePage(
  file: Bytes,
  page: TiffPage,
  inflate: InflateWithin,
  depth: 8 | 16 = 16,
): Promise<DecodedPage> {
  const { width, height, tileWidth, tileHeight, samplesPerPixel } = page;
  const channels = page.isPlanar ? 1 : samplesPerPixel;
  const planes = page.isPlanar ? samplesPerPixel : 1;
  const [columns, rows] = [Math.ceil(width / tileWidth), Math.ceil(height / tileHeight)];
  const rowBytes = Math.ceil((tileWidth * channels * page.bits) / 8);
  const tiles = columns * rows * planes;
  if (!(rowBytes > 0 && tileHeight > 0) || page.offsets.length < tiles) throw endsEarly();
  if (page.compression !== NONE && page.byteCounts.length < tiles) throw endsEarly();
  if (tileWidth * channels > ROW_SAMPLES_MAX) throw endsEarly();
  if (rowBytes * Math.min(height, tileHeight) > STRIP_BYTES_MAX) throw endsEarly();
  const shownBytes = Math.ceil((width * channels * page.bits) / 8) * height * planes;
  if (tiles * rowBytes * tileHeight > TILED_BYTES_FACTOR * shownBytes + STRIP_BYTES_MAX) throw endsEarly();
  if (getSum(page.byteCounts) > READS_MAX * file.length) throw endsEarly();
  // The last strip or tile may be whole, although only some of its rows count.
  const tileBytes = Math.min(STRIP_BYTES_MAX, rowBytes * tileHeight);
  const writer = createPixelWriter(page, depth);
  const samples = new Float64Array(tileWidth * channels);
  for (let index = 0; index < tiles; index++) {
    const plane = Math.floor(index / (columns * rows));
    const left = (index % columns) * tileWidth;
    const top = (Math.floor(index / columns) % rows) * tileHeight;
    const lines = Math.min(tileHeight, height - top);
    const bytes = await unpackTile(file, page, index, rowBytes * lines, {
      inflate,
      bytesMax: tileBytes,
    });
    for (let line = 0; line < lines; line++) {
      readSampleRow(bytes.subarray(line * rowBytes, (line + 1) * rowBytes), page, channels, samples);
      writer.writeRow({ samples, channels, plane, left, y: top + line });
    }
  }
  return writer.finish();
}

/** Returns the bytes of a strip or tile, at least as many as its visible rows need. */
async function unpackTile(
  file: Bytes,
  { offsets, byteCounts, compression, isReversed }: TiffPage,
  index: number,
  length: number,
  limits: UnpackLimits,
): Promise<Bytes> {
  const start = offsets[index] ?? 0;
  const packed = file.slice(start, start + (byteCounts[index] ?? length));
  if (isReversed) for (let at = 0; at < packed.length; at++) packed[at] = reverseBits(packed[at]);
  const bytes = await unpack(packed, compression, length, limits);
  if (bytes.length < length) throw endsEarly();
  return bytes;
}

interface UnpackLimits {
  readonly inflate: InflateWithin;
  /** Length of a whole strip or tile. */
  readonly bytesMax: number;
}

async function unpack(
  packed: Bytes,
  compression: number,
  length: number,
  { inflate, bytesMax }: UnpackLimits,
): Promise<Bytes> {
  if (compression === NONE) return packed;
  if (compression === LZW) {
    // What is missing stays 0.
    const { bytes, isDamaged } = unpackLzw(packed, length, { valueBits: 8, isTiff: true });
    if (isDamaged) throw damagedTiff('its samples cannot be decompressed');
    return bytes;
  }
  if (compression === PACK_BITS) return unpackBits(packed, length);
  const bytes = compression === ZSTD ? unpackZstd(packed, length, bytesMax) : inflate(packed, bytesMax);
  return bytes.catch(() => {
    throw endsEarly();
  });
}

/** Decompresses Zstandard. The room is ours, whatever window the bytes ask for. */
async function unpackZstd(packed: Bytes, length: number, bytesMax: number): Promise<Bytes> {
  const { decompress } = await import('fzstd');
  const decode = (filler: number): Bytes => {
    const room = new Uint8Array(bytesMax).fill(filler);
    decompress(packed, room);
    return room;
  };
  const bytes = decode(0);
  // A byte that stays as it was is missing.
  const isShort = bytes[length - 1] === 0 && decode(1)[length - 1] === 1;
  if (isShort) throw endsEarly();
  return bytes;
}

/** @throws OperationError `unprocessable` when pages name the same bytes again and again, so that each is read often */
export function assertDistinctPages(file: Bytes, pages: readonly TiffPage[]): void {
  const bytes = pages.reduce((sum, { byteCounts }) => sum + getSum(byteCounts), 0);
  if (bytes > READS_MAX * file.length) throw endsEarly();
}

function getSum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function reverseBits(byte: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit);
  return reversed;
}

function endsEarly(): OperationError {
  return damagedTiff('it ends within its samples');
}

/** Decompresses PackBits: TIFF 6.0, section 9. @param length of the result */
function unpackBits(packed: Bytes, length: number): Bytes {
  const out = new Uint8Array(length);
  for (let from = 0, at = 0; from < packed.length && at < length; ) {
    const count = (packed[from++] << 24) >> 24;
    if (count === -128) continue;
    if (count < 0) {
      out.fill(packed[from++] ?? 0, at, Math.min(length, at + 1 - count));
      at += 1 - count;
    } else {
      out.set(packed.subarray(from, from + Math.min(count + 1, length - at)), at);
      from += count + 1;
      at += count + 1;
    }
  }
  return out;
}

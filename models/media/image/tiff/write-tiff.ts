import type { Raster } from '../../../core/runtime/raster.ts';
import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';
import { samplesAsBytes } from '../../bytes/sample-bytes.ts';
import type { Deflate } from '../../bytes/zlib.ts';
import { type TiffField, writeDirectory } from './directory.ts';

const SHORT = 3;
const LONG = 4;
const ROWS_PER_STRIP = 64;
const DEFLATE = 8;
const RGB = 2;
const STRAIGHT_ALPHA = 2;
const HORIZONTAL = 2;

/**
 * Writes a little-endian TIFF (6.0, sections 2, 14 and 18), one page per raster, compressed losslessly.
 * @param deflate makes zlib streams, as the Deflate compression (8) of Adobe's Photoshop TIFF notes requires
 * @returns the whole file
 */
export async function writeTiff(
  pages: AsyncIterable<Raster>,
  hasAlpha: boolean,
  deflate: Deflate,
): Promise<Bytes> {
  const parts: Bytes[] = [u8(0x49, 0x49, 42, 0, 8, 0, 0, 0)];
  let offset = 8;
  // A directory holds the position of the next one, so each is written once the next is known to exist.
  let pending: { fields: TiffField[]; strips: Bytes[] } | undefined;
  const settle = (isLast: boolean) => {
    if (!pending) return;
    const { fields, strips } = pending;
    const stripBytes = strips.reduce((sum, strip) => sum + strip.length, 0);
    const length = writeDirectory(fields, offset, 0).length;
    const starts: number[] = [];
    let at = offset + length;
    for (const strip of strips) {
      starts.push(at);
      at += strip.length;
    }
    const padding = (length + stripBytes) % 2;
    const next = isLast ? 0 : offset + length + stripBytes + padding;
    const placed = fields.map((field) => (field.tag === 273 ? { ...field, value: longs(starts) } : field));
    parts.push(writeDirectory(placed, offset, next), ...strips, new Uint8Array(padding));
    offset += length + stripBytes + padding;
  };
  for await (const page of pages) {
    settle(false);
    pending = await packPage(page, hasAlpha ? 4 : 3, deflate);
  }
  settle(true);
  return concat(parts);
}

async function packPage(
  page: Raster,
  channels: 3 | 4,
  deflate: Deflate,
): Promise<{ fields: TiffField[]; strips: Bytes[] }> {
  const { width, height, data } = page;
  const bits = data instanceof Uint16Array ? 16 : 8;
  const strips: Bytes[] = [];
  for (let top = 0; top < height; top += ROWS_PER_STRIP) {
    const rows = Math.min(ROWS_PER_STRIP, height - top);
    const samples = samplesAsBytes(page, channels, { top, rows, order: 'little' });
    predict(samples, width, channels, bits);
    const packed: Bytes[] = [];
    for await (const piece of deflate([samples])) packed.push(piece);
    strips.push(concat(packed));
  }
  const fields: TiffField[] = [
    { tag: 256, type: LONG, value: longs([width]) },
    { tag: 257, type: LONG, value: longs([height]) },
    { tag: 258, type: SHORT, value: shorts(Array(channels).fill(bits)) },
    { tag: 259, type: SHORT, value: shorts([DEFLATE]) },
    { tag: 262, type: SHORT, value: shorts([RGB]) },
    { tag: 273, type: LONG, value: longs(strips.map(() => 0)) },
    { tag: 274, type: SHORT, value: shorts([1]) },
    { tag: 277, type: SHORT, value: shorts([channels]) },
    { tag: 278, type: LONG, value: longs([ROWS_PER_STRIP]) },
    { tag: 279, type: LONG, value: longs(strips.map((strip) => strip.length)) },
    { tag: 284, type: SHORT, value: shorts([1]) },
    { tag: 317, type: SHORT, value: shorts([HORIZONTAL]) },
    ...(channels === 4 ? [{ tag: 338, type: SHORT, value: shorts([STRAIGHT_ALPHA]) }] : []),
  ];
  return { fields, strips };
}

/** Subtracts the left neighbour from each sample: TIFF 6.0, section 14. In place, from the right. */
function predict(bytes: Bytes, width: number, channels: number, bits: 8 | 16): void {
  const samples = bits === 16 ? new Uint16Array(bytes.buffer) : bytes;
  const rowSamples = width * channels;
  for (let start = 0; start < samples.length; start += rowSamples) {
    for (let at = start + rowSamples - 1; at >= start + channels; at--) {
      samples[at] = samples[at] - samples[at - channels];
    }
  }
}

function shorts(values: readonly number[]): Bytes {
  return concat(values.map((value) => u8(value, value >>> 8)));
}

function longs(values: readonly number[]): Bytes {
  return concat(values.map((value) => u8(value, value >>> 8, value >>> 16, value >>> 24)));
}

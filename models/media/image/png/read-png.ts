import { OperationError } from '../../../core/operation/errors.ts';
import type { Raster } from '../../../core/runtime/raster.ts';
import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import type { Inflate } from '../../bytes/zlib.ts';
import { readPngChunks } from './chunks.ts';
import { paeth } from './write-png.ts';

/** Columns and rows of each pass of an interlaced image: PNG, third edition, 8.1. */
const ADAM7 = [
  { left: 0, top: 0, stepX: 8, stepY: 8 },
  { left: 4, top: 0, stepX: 8, stepY: 8 },
  { left: 0, top: 4, stepX: 4, stepY: 8 },
  { left: 2, top: 0, stepX: 4, stepY: 4 },
  { left: 0, top: 2, stepX: 2, stepY: 4 },
  { left: 1, top: 0, stepX: 2, stepY: 2 },
  { left: 0, top: 1, stepX: 1, stepY: 2 },
] as const;
const WHOLE = [{ left: 0, top: 0, stepX: 1, stepY: 1 }] as const;

/** Samples per pixel by colour type, for types with 16 bits: PNG, third edition, 11.2.1. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

export interface DeepPng extends Raster {
  readonly data: Uint16Array<ArrayBuffer>;
  readonly hasAlpha: boolean;
}

/** Reports whether a PNG has 16 bits per sample. */
export function isDeepPng(file: Uint8Array): boolean {
  return file[24] === 16;
}

/**
 * Decodes a PNG with 16 bits per sample: browsers return only 8.
 * @throws OperationError `unprocessable` when it is damaged
 */
export async function readDeepPng(file: Bytes, inflate: Inflate): Promise<DeepPng> {
  const chunks = readPngChunks(file);
  const bodiesOf = (wanted: string) => chunks.filter(({ type }) => type === wanted).map(({ body }) => body);
  const [head] = bodiesOf('IHDR');
  const channels = CHANNELS[head?.[9] ?? -1];
  if (!head || head.length < 13 || !channels) throw damaged('its header is invalid');
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const passes = head[12] ? ADAM7 : WHOLE;
  const rows = await inflate(concat(bodiesOf('IDAT'))).catch(() => {
    throw damaged('its samples cannot be decompressed');
  });
  const [transparent] = bodiesOf('tRNS');
  const data = new Uint16Array(width * height * 4);
  let offset = 0;
  for (const { left, top, stepX, stepY } of passes) {
    const columns = Math.ceil((width - left) / stepX);
    const lines = Math.ceil((height - top) / stepY);
    const rowBytes = columns * channels * 2;
    if (columns < 1 || lines < 1) continue;
    if (offset + lines * (1 + rowBytes) > rows.length) throw damaged('it ends within its samples');
    let above: Bytes = new Uint8Array(rowBytes);
    for (let line = 0; line < lines; line++) {
      const row = rows.subarray(offset + 1, offset + 1 + rowBytes);
      unfilter(rows[offset] ?? 0, row, above, channels * 2);
      const to = ((top + line * stepY) * width + left) * 4;
      spread(row, channels, data, to, stepX * 4);
      above = row;
      offset += 1 + rowBytes;
    }
  }
  if (transparent) clearColour(data, transparent, channels);
  return { width, height, data, hasAlpha: channels % 2 === 0 || transparent !== undefined };
}

/** Reverses the filters in place: PNG, third edition, 9.2. */
function unfilter(filter: number, row: Bytes, above: Bytes, pixelBytes: number): void {
  if (filter === 0) return;
  if (filter > 4) throw damaged('it has a filter that does not exist');
  for (let at = 0; at < row.length; at++) {
    const left = at < pixelBytes ? 0 : row[at - pixelBytes];
    const up = above[at];
    const upLeft = at < pixelBytes ? 0 : above[at - pixelBytes];
    const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter];
    row[at] = row[at] + predicted;
  }
}

/** Expands samples to RGBA: grey becomes three equal samples, missing alpha becomes opaque. */
function spread(row: Bytes, channels: number, data: Uint16Array, start: number, step: number): void {
  const isGrey = channels < 3;
  for (let from = 0, to = start; from < row.length; from += channels * 2, to += step) {
    const sample = (index: number) => (row[from + index * 2] << 8) | row[from + index * 2 + 1];
    data[to] = sample(0);
    data[to + 1] = sample(isGrey ? 0 : 1);
    data[to + 2] = sample(isGrey ? 0 : 2);
    data[to + 3] = channels % 2 === 0 ? sample(channels - 1) : 0xffff;
  }
}

/** Makes the colour of a tRNS chunk transparent: PNG, third edition, 11.3.1.1. */
function clearColour(data: Uint16Array, colour: Bytes, channels: number): void {
  const part = (index: number) => ((colour[index * 2] ?? 0) << 8) | (colour[index * 2 + 1] ?? 0);
  const [red, green, blue] = channels < 3 ? [part(0), part(0), part(0)] : [part(0), part(1), part(2)];
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) data[at + 3] = 0;
  }
}

function damaged(reason: string): OperationError {
  return new OperationError('unprocessable', `The image is a damaged PNG: ${reason}.`, { kind: 'damaged' });
}

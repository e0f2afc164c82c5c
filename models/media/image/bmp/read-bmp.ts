import type { Raster } from '../../../core/runtime/raster.ts';
import { type BmpHeader, damagedBmp, readBmpHeader } from './bmp-header.ts';

export interface BmpPicture extends Raster {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly hasAlpha: boolean;
  readonly icc?: Uint8Array<ArrayBuffer>;
}

/**
 * Decodes a Windows or OS/2 bitmap of 1 to 32 bits per pixel, including RLE and channel masks.
 * @throws OperationError `unprocessable` when the file is damaged, truncated, or contains a JPEG or PNG
 */
export function readBmp(bytes: Uint8Array<ArrayBuffer>): BmpPicture {
  const header = readBmpHeader(bytes);
  const { width, height } = header;
  if (width < 1 || height < 1) throw damagedBmp(`its size is ${width} x ${height}`);
  if (header.pixelsOffset >= bytes.length) throw damagedBmp('it ends before its pixels');
  const data = new Uint8Array(width * height * 4);
  const hasAlpha = decodePixels(bytes, header, data);
  return { width, height, data, hasAlpha, ...(header.icc ? { icc: header.icc } : {}) };
}

/** Fills `data` and reports whether any pixel is transparent. */
function decodePixels(bytes: Uint8Array, header: BmpHeader, data: Uint8Array): boolean {
  if (header.packing === 'rle8' || header.packing === 'rle4') return unpackRle(bytes, header, data);
  const { width, height, bitsPerPixel, pixelsOffset } = header;
  const rowBytes = Math.ceil((width * bitsPerPixel) / 32) * 4;
  // The padding of the last row may be missing.
  if (pixelsOffset + rowBytes * (height - 1) + Math.ceil((width * bitsPerPixel) / 8) > bytes.length) {
    throw damagedBmp('it ends within its pixels');
  }
  const readRow = rowReader(bytes, header);
  for (let y = 0; y < height; y++) {
    const row = header.isTopDown ? y : height - 1 - y;
    readRow(pixelsOffset + row * rowBytes, data, y * width * 4);
  }
  return header.packing === 'masks' && header.masks[3] !== 0 && settleAlpha(data);
}

type RowReader = (from: number, data: Uint8Array, to: number) => void;

function rowReader(bytes: Uint8Array, header: BmpHeader): RowReader {
  if (header.packing === 'masks') return maskedRows(bytes, header);
  if (header.bitsPerPixel === 24) return trueColourRows(bytes, header.width);
  return paletteRows(bytes, header);
}

function trueColourRows(bytes: Uint8Array, width: number): RowReader {
  return (from, data, to) => {
    for (let x = 0; x < width; x++, from += 3, to += 4) {
      data[to] = bytes[from + 2];
      data[to + 1] = bytes[from + 1];
      data[to + 2] = bytes[from];
      data[to + 3] = 255;
    }
  };
}

function paletteRows(bytes: Uint8Array, { width, bitsPerPixel, palette }: BmpHeader): RowReader {
  const perByte = 8 / bitsPerPixel;
  const mask = 2 ** bitsPerPixel - 1;
  return (from, data, to) => {
    for (let x = 0; x < width; x++, to += 4) {
      const byte = bytes[from + Math.floor(x / perByte)];
      const index = (byte >> (8 - bitsPerPixel * ((x % perByte) + 1))) & mask;
      writeColour(data, to, palette, index);
    }
  };
}

function maskedRows(bytes: Uint8Array, { width, bitsPerPixel, masks }: BmpHeader): RowReader {
  const channels = masks.map(scaleOf);
  const pixelBytes = bitsPerPixel / 8;
  return (from, data, to) => {
    for (let x = 0; x < width; x++, from += pixelBytes, to += 4) {
      let pixel = bytes[from] | (bytes[from + 1] << 8);
      if (pixelBytes === 4) pixel |= (bytes[from + 2] << 16) | (bytes[from + 3] << 24);
      for (let channel = 0; channel < 4; channel++) {
        const { mask, shift, most } = channels[channel];
        data[to + channel] = mask
          ? Math.round((((pixel & mask) >>> shift) * 255) / most)
          : channel === 3
            ? 255
            : 0;
      }
    }
  };
}

interface ChannelScale {
  readonly mask: number;
  readonly shift: number;
  readonly most: number;
}

function scaleOf(mask: number): ChannelScale {
  const shift = mask ? 31 - Math.clz32(mask & -mask) : 0;
  return { mask, shift, most: mask >>> shift };
}

/** Makes an all-zero alpha channel opaque: many writers leave the alpha byte at zero and mean an opaque image. */
function settleAlpha(data: Uint8Array): boolean {
  let most = 0;
  let least = 255;
  for (let at = 3; at < data.length; at += 4) {
    const alpha = data[at];
    if (alpha > most) most = alpha;
    if (alpha < least) least = alpha;
  }
  if (most === 0) for (let at = 3; at < data.length; at += 4) data[at] = 255;
  return most > 0 && least < 255;
}

/**
 * Unpacks BI_RLE8 and BI_RLE4. Pixels that the code skips stay transparent.
 * @returns whether any pixel was skipped
 */
function unpackRle(bytes: Uint8Array, header: BmpHeader, data: Uint8Array): boolean {
  const { width, height, palette, isTopDown } = header;
  const isNibbles = header.packing === 'rle4';
  let at = header.pixelsOffset;
  let x = 0;
  let y = 0;
  let painted = 0;
  const next = (): number => {
    const byte = bytes[at++];
    if (byte === undefined) throw damagedBmp('it ends within its pixels');
    return byte;
  };
  const paint = (index: number): void => {
    if (x >= width || y >= height) throw damagedBmp('a run goes past the edge');
    const to = ((isTopDown ? y : height - 1 - y) * width + x++) * 4;
    if (!data[to + 3]) painted++;
    writeColour(data, to, palette, index);
  };
  const nibble = (byte: number, step: number): number => (step & 1 ? byte & 15 : byte >> 4);
  while (y < height) {
    const count = next();
    const value = next();
    if (count > 0) {
      const room = Math.min(count, isNibbles ? width - x + 1 : count);
      for (let step = 0; step < room && !(isNibbles && x >= width); step++) {
        paint(isNibbles ? nibble(value, step) : value);
      }
    } else if (value === 0) {
      x = 0;
      y++;
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      x += next();
      y += next();
    } else {
      let byte = 0;
      for (let step = 0; step < value; step++) {
        if (!isNibbles || !(step & 1)) byte = next();
        paint(isNibbles ? nibble(byte, step) : byte);
      }
      const used = isNibbles ? Math.ceil(value / 2) : value;
      if (used & 1) at++;
    }
  }
  return painted < width * height;
}

/** Writes a palette colour. A colour that the palette lacks is black, as in Windows. */
function writeColour(data: Uint8Array, to: number, palette: Uint8Array, index: number): void {
  data[to] = palette[index * 4] ?? 0;
  data[to + 1] = palette[index * 4 + 1] ?? 0;
  data[to + 2] = palette[index * 4 + 2] ?? 0;
  data[to + 3] = 255;
}

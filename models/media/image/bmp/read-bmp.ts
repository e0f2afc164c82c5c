import { OperationError } from '../../../core/operation/errors.ts';
import type { Raster } from '../../../core/runtime/raster.ts';

/** Packing of a bitmap's pixels: BI_RGB, BI_RLE8, BI_RLE4, or channel masks. */
type BmpPacking = 'plain' | 'rle8' | 'rle4' | 'masks';

interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bitsPerPixel: 1 | 2 | 4 | 8 | 16 | 24 | 32;
  readonly packing: BmpPacking;
  /** Channel masks of red, green, blue and alpha, for 16 and 32 bits per pixel; 0 for a missing channel. */
  readonly masks: readonly [number, number, number, number];
  /** Four bytes per colour: red, green, blue, 255. */
  readonly palette: Uint8Array;
  readonly pixelsOffset: number;
  readonly icc?: Uint8Array<ArrayBuffer>;
}

const BITS = [1, 2, 4, 8, 16, 24, 32] as const;
const BI_ALPHABITFIELDS = 6;
const PROFILE_EMBEDDED = 0x4d424544;

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
  const channels = masks.map(getScale);
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

function getScale(mask: number): ChannelScale {
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

// 'MBED'

function damagedBmp(what: string): OperationError {
  return new OperationError('unprocessable', `The image is a damaged or unsupported BMP: ${what}.`, {
    kind: 'damaged',
  });
}

/**
 * Reads file header, information header (OS/2 1.x and 2.x, Windows 3 to 5), masks, palette and embedded profile.
 * @throws OperationError `unprocessable` when a field is out of range
 */
export function readBmpHeader(bytes: Uint8Array<ArrayBuffer>): BmpHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 26) throw damagedBmp('it ends within its header');
  const headerBytes = view.getUint32(14, true);
  const isCore = headerBytes === 12;
  if (!isCore && (headerBytes < 16 || headerBytes > 124 || bytes.length < 14 + headerBytes)) {
    throw damagedBmp(`its header says it is ${headerBytes} bytes long`);
  }
  const field = (offset: number): number =>
    offset + 4 <= 14 + headerBytes ? view.getUint32(offset, true) : 0;
  const bits = view.getUint16(isCore ? 24 : 28, true);
  const bitsPerPixel = BITS.find((known) => known === bits);
  if (!bitsPerPixel) throw damagedBmp(`${bits} bits a pixel`);
  const compression = isCore ? 0 : field(30);
  const height = isCore ? view.getUint16(20, true) : view.getInt32(22, true);
  const maskCount = maskWords(compression, headerBytes);
  const paletteAt = 14 + headerBytes + (headerBytes === 40 ? maskCount * 4 : 0);
  const profileAt = headerBytes >= 124 && field(70) === PROFILE_EMBEDDED ? 14 + field(126) : 0;
  return {
    width: isCore ? view.getUint16(18, true) : view.getInt32(18, true),
    height: Math.abs(height),
    isTopDown: height < 0,
    bitsPerPixel,
    packing: getPacking(compression, bitsPerPixel, headerBytes),
    masks: readMasks(view, bitsPerPixel, headerBytes, maskCount),
    palette: readPalette(bytes, paletteAt, isCore ? 3 : 4, paletteLength(bitsPerPixel, field(46))),
    pixelsOffset: view.getUint32(10, true),
    ...(profileAt ? { icc: bytes.slice(profileAt, profileAt + field(130)) } : {}),
  };
}

function maskWords(compression: number, headerBytes: number): number {
  if (compression === BI_ALPHABITFIELDS) return 4;
  if (compression !== 3) return 0;
  return headerBytes >= 56 ? 4 : 3;
}

function getPacking(compression: number, bits: number, headerBytes: number): BmpPacking {
  const isOs2 = headerBytes === 16 || headerBytes === 64;
  if (compression === 0) return bits === 16 || bits === 32 ? 'masks' : 'plain';
  if (compression === 1 && bits === 8) return 'rle8';
  if (compression === 2 && bits === 4) return 'rle4';
  if ((compression === 3 || compression === BI_ALPHABITFIELDS) && !isOs2 && (bits === 16 || bits === 32))
    return 'masks';
  throw damagedBmp(`compression ${compression} with ${bits} bits a pixel`);
}

function readMasks(view: DataView, bits: number, headerBytes: number, count: number): BmpHeader['masks'] {
  if (!count) {
    // Later headers may name an alpha mask for plain 32-bit pixels as well.
    return bits === 16
      ? [0x7c00, 0x3e0, 0x1f, 0]
      : [0xff0000, 0xff00, 0xff, headerBytes >= 56 ? view.getUint32(66, true) : 0];
  }
  if (view.byteLength < 54 + count * 4) throw damagedBmp('it ends within its masks');
  const mask = (index: number): number => (index < count ? view.getUint32(54 + index * 4, true) : 0);
  return [mask(0), mask(1), mask(2), mask(3)];
}

function paletteLength(bits: number, used: number): number {
  if (bits > 8) return 0;
  const most = 2 ** bits;
  return used > 0 && used < most ? used : most;
}

function readPalette(bytes: Uint8Array, offset: number, entryBytes: 3 | 4, length: number): Uint8Array {
  const palette = new Uint8Array(length * 4);
  for (let index = 0; index < length; index++) {
    const at = offset + index * entryBytes;
    palette.set([bytes[at + 2] ?? 0, bytes[at + 1] ?? 0, bytes[at] ?? 0, 255], index * 4);
  }
  return palette;
}

import { OperationError } from '../../../core/operation/errors.ts';

/** Packing of a bitmap's pixels: BI_RGB, BI_RLE8, BI_RLE4, or channel masks. */
type BmpPacking = 'plain' | 'rle8' | 'rle4' | 'masks';

export interface BmpHeader {
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
const PROFILE_EMBEDDED = 0x4d424544; // 'MBED'

export function damagedBmp(what: string): OperationError {
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

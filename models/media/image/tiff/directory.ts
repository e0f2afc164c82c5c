import { OperationError } from '../../../core/operation/errors.ts';
import type { Chromaticities, Chromaticity } from '../../../kernels/colour/xyz-matrix.ts';
import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';

/** Fields of a print resolution: TIFF 6.0, section 3. EXIF has the same. */
export const X_RESOLUTION = 282;
export const Y_RESOLUTION = 283;
export const RESOLUTION_UNIT = 296;
/** Values of the unit besides 1, which stands for none. */
export const INCH = 2;
export const CENTIMETRE = 3;
/** Parts of a pixel per inch that a resolution keeps. */
const PRECISION = 10_000;
export const WHITE_POINT = 318;
export const PRIMARY_CHROMATICITIES = 319;
const D65: Chromaticity = [0.3127, 0.329];

/** Readers of one value by type: TIFF 6.0, section 2, BYTE, SHORT, LONG, RATIONAL, SLONG, SRATIONAL. */
const READERS: Readonly<Record<number, { bytes: number; read: (view: DataView, at: number) => number }>> = {
  1: { bytes: 1, read: (view, at) => view.getUint8(at) },
  3: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  4: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  5: { bytes: 8, read: (view, at) => view.getUint32(at, true) / view.getUint32(at + 4, true) },
  9: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  10: { bytes: 8, read: (view, at) => view.getInt32(at, true) / view.getInt32(at + 4, true) },
};

/** Field of an image file directory (TIFF 6.0, section 2), its value in little-endian order. */
export interface TiffField {
  readonly tag: number;
  /** 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL, 7 UNDEFINED, 9 SLONG, 10 SRATIONAL, ... */
  readonly type: number;
  readonly value: Bytes;
  /**
   * Position where the value stands: of a MakerNote, whose own offsets hold only there. A writer leaves it there, and its
   * caller writes the bytes.
   */
  readonly at?: number;
  /** Directory that the field points at, in place of a value. */
  readonly directory?: TiffDirectory;
}

export type TiffDirectory = readonly TiffField[];

const TIFF_LONG = 4;
export const TIFF_UNDEFINED = 7;
export const EXIF_POINTER = 34665;
/** Data of a camera's maker in the Exif directory, in a private layout: EXIF 2.32, 4.6.5. */
export const MAKER_NOTE = 37500;
const GPS_POINTER = 34853;
const INTEROPERABILITY_POINTER = 40965;
/** Tags of fields that point at directories. */
export const POINTERS: ReadonlySet<number> = new Set([EXIF_POINTER, GPS_POINTER, INTEROPERABILITY_POINTER]);
/** Bytes per value by type. */
export const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
/** Unit of byte order by type. */
const SWAP_BYTES: readonly number[] = [0, 1, 1, 2, 4, 4, 1, 1, 2, 4, 4, 4, 8, 4];
const FIELDS_MAX = 1000;
/** Limit on the numbers of a field. The longest list is that of strips: one for each row of each plane. */
const NUMBERS_MAX = 2_000_000;
const DEPTH_MAX = 3;

export interface TiffStream {
  readonly view: DataView;
  readonly isLittle: boolean;
  /** Offset of the first directory. */
  readonly firstOffset: number;
  /**
   * Bytes of values that may still be read: those of a real file do not overlap, but every field of a crafted one could
   * name all of it.
   */
  readonly left: { bytes: number };
}

/**
 * Reads the header of a TIFF stream.
 * @returns null when it is none
 */
export function openTiffStream(bytes: Bytes): TiffStream | null {
  if (bytes.length < 8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = view.getUint16(0) === 0x4949;
  if (view.getUint16(2, isLittle) !== 42) return null;
  return { view, isLittle, firstOffset: view.getUint32(4, isLittle), left: { bytes: bytes.length } };
}

/** Reads fields of the first directory of a TIFF stream; none where it is none. @param wanted tags to read; all when absent */
export function readFirstDirectory(file: Bytes, wanted?: ReadonlySet<number>): TiffField[] {
  const stream = openTiffStream(file);
  return stream ? readDirectory(stream, stream.firstOffset, wanted) : [];
}

/**
 * Reads a directory and those that its Exif, GPS and Interoperability pointers name. Omits broken fields. Of a repeated
 * tag the first counts: many pointers to one directory would have it read as often.
 * @param wanted tags to read; all when absent
 */
export function readDirectory(
  stream: TiffStream,
  offset: number,
  wanted?: ReadonlySet<number>,
  depth = 0,
): TiffField[] {
  const { view, isLittle } = stream;
  const fields: TiffField[] = [];
  const seen = new Set<number>();
  if (offset + 2 > view.byteLength || depth > DEPTH_MAX) return fields;
  const count = Math.min(view.getUint16(offset, isLittle), FIELDS_MAX);
  for (let index = 0; index < count; index++) {
    const at = offset + 2 + index * 12;
    if (at + 12 > view.byteLength) break;
    const tag = view.getUint16(at, isLittle);
    if (seen.has(tag) || (wanted && !wanted.has(tag))) continue;
    seen.add(tag);
    if (POINTERS.has(tag)) {
      const directory = readDirectory(stream, view.getUint32(at + 8, isLittle), undefined, depth + 1);
      if (directory.length) fields.push({ tag, type: TIFF_LONG, value: new Uint8Array(0), directory });
      continue;
    }
    const field = readField(stream, at, tag);
    if (field) fields.push(field);
  }
  return fields;
}

function readField({ view, isLittle, left }: TiffStream, at: number, tag: number): TiffField | null {
  const type = view.getUint16(at + 2, isLittle);
  const length = (TYPE_BYTES[type] ?? 0) * view.getUint32(at + 4, isLittle);
  const from = length > 4 ? view.getUint32(at + 8, isLittle) : at + 8;
  if (length < 1 || length > left.bytes || from + length > view.byteLength) return null;
  left.bytes -= length;
  const value = new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset + from, length).slice();
  const unit = SWAP_BYTES[type] ?? 1;
  if (!isLittle && unit > 1)
    for (let start = 0; start < length; start += unit) value.subarray(start, start + unit).reverse();
  return tag === MAKER_NOTE && length > 4 ? { tag, type, value, at: from } : { tag, type, value };
}

/**
 * Writes a little-endian directory followed by everything it points at.
 * @param offset position in its file
 * @param nextOffset of the following directory, 0 for none
 */
export function writeDirectory(fields: TiffDirectory, offset: number, nextOffset: number): Bytes {
  const sorted = [...fields].sort((left, right) => left.tag - right.tag);
  const head = new Uint8Array(2 + sorted.length * 12 + 4);
  const view = new DataView(head.buffer);
  const tail: Bytes[] = [];
  let tailOffset = offset + head.length;
  view.setUint16(0, sorted.length, true);
  sorted.forEach((field, index) => {
    const at = 2 + index * 12;
    const value = field.directory ? writeDirectory(field.directory, tailOffset, 0) : field.value;
    view.setUint16(at, field.tag, true);
    view.setUint16(at + 2, field.type, true);
    view.setUint32(at + 4, field.directory ? 1 : value.length / (TYPE_BYTES[field.type] ?? 1), true);
    if (value.length <= 4 && !field.directory) {
      head.set(value, at + 8);
      return;
    }
    view.setUint32(at + 8, field.at ?? tailOffset, true);
    if (field.at !== undefined) return;
    const padded = value.length % 2 ? concat([value, u8(0)]) : value;
    tail.push(padded);
    tailOffset += padded.length;
  });
  view.setUint32(head.length - 4, nextOffset, true);
  return concat([head, ...tail]);
}

/** Makes the error for a damaged file. @param reason a clause that says what is wrong */
export function damagedTiff(reason: string): OperationError {
  return new OperationError('unprocessable', `The image is a damaged TIFF: ${reason}.`, { kind: 'damaged' });
}

/** Returns the numbers of a field; none when it is absent or of another type. */
export function readNumbers(fields: TiffDirectory, wanted: number): readonly number[] {
  const field = fields.find(({ tag }) => tag === wanted);
  return field ? getNumbers(field) : [];
}

function getNumbers({ type, value }: TiffField): readonly number[] {
  const reader = READERS[type];
  if (!reader) return [];
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  const length = Math.min(NUMBERS_MAX, Math.floor(value.length / reader.bytes));
  return Array.from({ length }, (_, at) => reader.read(view, at * reader.bytes));
}

/**
 * Reads PrimaryChromaticities with WhitePoint (TIFF 6.0, section 20); without the latter, white is D65.
 * @returns null when they are absent or no numbers
 */
export function readPrimaries(fields: TiffDirectory): Chromaticities | null {
  const [redX, redY, greenX, greenY, blueX, blueY] = readNumbers(fields, PRIMARY_CHROMATICITIES);
  const [whiteX = D65[0], whiteY = D65[1]] = readNumbers(fields, WHITE_POINT);
  const points = [redX, redY, greenX, greenY, blueX, blueY, whiteX, whiteY].map(Number);
  if (!points.every(Number.isFinite)) return null;
  const point = (at: number): Chromaticity => [points[at] ?? 0, points[at + 1] ?? 0];
  return { red: point(0), green: point(2), blue: point(4), white: point(6) };
}

/** Returns the two numbers of a RATIONAL for a resolution. */
export function resolutionRational(pixelsPerInch: number): readonly [numerator: number, denominator: number] {
  return Number.isInteger(pixelsPerInch)
    ? [pixelsPerInch, 1]
    : [Math.round(pixelsPerInch * PRECISION), PRECISION];
}

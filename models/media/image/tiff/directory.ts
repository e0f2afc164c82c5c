import { OperationError } from '../../../core/operation/errors.ts';
import type { Chromaticities, Chromaticity } from '../../../kernels/colour/xyz-matrix.ts';
import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';

/** Tags of fields: TIFF 6.0, XMP, part 3, 1.1.4, and EXIF 2.32, 4.6, which has most of them. */
export const TAG = {
  imageWidth: 256,
  imageLength: 257,
  photometric: 262,
  orientation: 274,
  xResolution: 282,
  yResolution: 283,
  resolutionUnit: 296,
  transferFunction: 301,
  whitePoint: 318,
  primaryChromaticities: 319,
  xmp: 700,
  iptc: 33723,
  photoshop: 34377,
  exif: 34665,
  icc: 34675,
  gps: 34853,
  /** Data of a camera's maker in the Exif directory, in a private layout. */
  makerNote: 37500,
  colourSpace: 40961,
  interoperability: 40965,
} as const;
/** Types of fields: TIFF 6.0, section 2. */
export const TYPE = { byte: 1, short: 3, long: 4, rational: 5, undefined: 7 } as const;
export const RESOLUTION_TAGS: ReadonlySet<number> = new Set([
  TAG.xResolution,
  TAG.yResolution,
  TAG.resolutionUnit,
]);
/** Values of the unit besides 1, which stands for none. */
export const INCH = 2;
export const CENTIMETRE = 3;
/** Parts of a pixel per inch that a resolution keeps. */
const PRECISION = 10_000;
const D65: Chromaticity = [0.3127, 0.329];

/** Readers of one value by type: TIFF 6.0, section 2, BYTE, SHORT, LONG, RATIONAL, SLONG, SRATIONAL; BigTIFF's LONG8. */
const READERS: Readonly<Record<number, { bytes: number; read: (view: DataView, at: number) => number }>> = {
  1: { bytes: 1, read: (view, at) => view.getUint8(at) },
  3: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  4: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  5: { bytes: 8, read: (view, at) => view.getUint32(at, true) / view.getUint32(at + 4, true) },
  9: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  10: { bytes: 8, read: (view, at) => view.getInt32(at, true) / view.getInt32(at + 4, true) },
  16: { bytes: 8, read: (view, at) => Number(view.getBigUint64(at, true)) },
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

/** Tags of fields that point at directories. */
const POINTERS: ReadonlySet<number> = new Set([TAG.exif, TAG.gps, TAG.interoperability]);
/** Bytes per value by type; from 16 on BigTIFF's LONG8, SLONG8 and IFD8. */
const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
/** Unit of byte order by type. */
const SWAP_BYTES: readonly number[] = [0, 1, 1, 2, 4, 4, 1, 1, 2, 4, 4, 4, 8, 4, 0, 0, 8, 8, 8];
/** Limit on the fields of a directory. */
export const FIELDS_MAX = 5000;
/** Limit on the numbers of a field. The longest list is that of strips: one for each row of each plane. */
const NUMBERS_MAX = 2_000_000;
const DEPTH_MAX = 3;
const VERSION = 42;
const BIG_VERSION = 43;
const WHOLE_TYPES: ReadonlySet<number> = new Set([1, 3, 4, 13, 16, 18]);

/** Byte order, and whether counts and offsets are those of BigTIFF (Adobe's TIFF technical notes), which are wider. */
export interface TiffOrder {
  readonly isLittle: boolean;
  readonly isBig: boolean;
}

/** Header of a file. */
export interface TiffHead extends TiffOrder {
  /** Position of the offset of the first directory. */
  readonly firstAt: number;
  readonly firstOffset: number;
}

export interface TiffStream extends TiffHead {
  readonly view: DataView;
  /**
   * Bytes of values that may still be read: those of a real file do not overlap, but every field of a crafted one could
   * name all of it.
   */
  readonly left: { bytes: number };
}

/** Reads the header of a TIFF or BigTIFF. @returns null when it is neither */
export function readTiffHead(view: DataView): TiffHead | null {
  if (view.byteLength < 8) return null;
  const isLittle = view.getUint16(0) === 0x4949;
  const version = view.getUint16(2, isLittle);
  if (version !== VERSION && version !== BIG_VERSION) return null;
  const order = { isLittle, isBig: version === BIG_VERSION };
  const firstAt = order.isBig ? 8 : 4;
  return { ...order, firstAt, firstOffset: readOffset(view, firstAt, order) };
}

/** Opens a TIFF or BigTIFF. @returns null when it is neither */
export function openTiff(bytes: Bytes): TiffStream | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = readTiffHead(view);
  return head && { ...head, view, left: { bytes: bytes.length } };
}

/** Opens a classic TIFF, as EXIF is one. @returns null when it is none */
export function openTiffStream(bytes: Bytes): TiffStream | null {
  const stream = openTiff(bytes);
  return stream?.isBig ? null : stream;
}

/** Position and length of the parts of a directory. */
interface DirectoryWidths {
  readonly countBytes: number;
  readonly entryBytes: number;
  /** Position of the value, or of its offset, within an entry. */
  readonly valueAt: number;
  readonly offsetBytes: number;
}

export function getWidths({ isBig }: TiffOrder): DirectoryWidths {
  return isBig
    ? { countBytes: 8, entryBytes: 20, valueAt: 12, offsetBytes: 8 }
    : { countBytes: 2, entryBytes: 12, valueAt: 8, offsetBytes: 4 };
}

export function writeOffset(
  view: DataView,
  at: number,
  offset: number,
  { isLittle, isBig }: TiffOrder,
): void {
  if (isBig) view.setBigUint64(at, BigInt(offset), isLittle);
  else view.setUint32(at, offset, isLittle);
}

/** Reads an offset, or a count of values; 0 beyond the end. */
export function readOffset(view: DataView, at: number, { isLittle, isBig }: TiffOrder): number {
  if (at + (isBig ? 8 : 4) > view.byteLength) return 0;
  return isBig ? Number(view.getBigUint64(at, isLittle)) : view.getUint32(at, isLittle);
}

/** Reads the number of entries, with which a directory begins. */
export function countEntries(view: DataView, at: number, order: TiffOrder): number {
  return order.isBig ? readOffset(view, at, order) : view.getUint16(at, order.isLittle);
}

/** Entry of a directory as it stands in the file. */
export interface TiffEntry {
  readonly at: number;
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Length of its values; 0 for an unknown type. */
  readonly bytes: number;
  /** Whether the entry holds its values itself. */
  readonly isInline: boolean;
  /** Position of its values, which may lie outside of the file. */
  readonly valuesAt: number;
}

export function readEntry(view: DataView, at: number, order: TiffOrder): TiffEntry {
  const { valueAt, offsetBytes } = getWidths(order);
  const type = view.getUint16(at + 2, order.isLittle);
  const count = readOffset(view, at + 4, order);
  const bytes = (TYPE_BYTES[type] ?? 0) * count;
  const isInline = bytes <= offsetBytes;
  const valuesAt = isInline ? at + valueAt : readOffset(view, at + valueAt, order);
  return { at, tag: view.getUint16(at, order.isLittle), type, count, bytes, isInline, valuesAt };
}

/** Reports whether the values of an entry lie within the bytes. */
export function hasValues({ byteLength }: DataView, { bytes, valuesAt }: TiffEntry): boolean {
  return bytes > 0 && valuesAt + bytes <= byteLength;
}

/** Entries of a directory, `FIELDS_MAX` at most. */
interface EntryList {
  readonly entries: readonly TiffEntry[];
  /** Position of the offset of the next directory, behind all entries. */
  readonly nextAt: number;
}

/** Lists the entries of a directory; null when it begins outside of the file, which may end within it. */
export function listEntries(stream: TiffStream, offset: number): EntryList | null {
  const { view } = stream;
  const { countBytes, entryBytes } = getWidths(stream);
  if (offset + countBytes > view.byteLength) return null;
  const count = countEntries(view, offset, stream);
  const start = offset + countBytes;
  const nextAt = start + count * entryBytes;
  const end = Math.min(view.byteLength, nextAt, start + FIELDS_MAX * entryBytes);
  const entries: TiffEntry[] = [];
  for (let at = start; at + entryBytes <= end; at += entryBytes) entries.push(readEntry(view, at, stream));
  return { entries, nextAt };
}

/** Writes a directory, the last one of its file, of entries as they stand in it. */
export function joinEntries(entries: readonly Bytes[], order: TiffOrder): Bytes {
  const { countBytes, offsetBytes } = getWidths(order);
  const directory = concat([new Uint8Array(countBytes), ...entries, new Uint8Array(offsetBytes)]);
  const view = new DataView(directory.buffer);
  if (order.isBig) writeOffset(view, 0, entries.length, order);
  else view.setUint16(0, entries.length, order.isLittle);
  return directory;
}

/** Reads whole numbers: BYTE, SHORT, LONG, IFD, and BigTIFF's wide ones; none of another type, or beyond the end. */
export function readWholeNumbers(
  view: DataView,
  { type, count, valuesAt }: TiffEntry,
  { isLittle }: TiffOrder,
  countMax = count,
): number[] {
  const bytes = TYPE_BYTES[type] ?? 0;
  const length = Math.min(count, countMax);
  if (!WHOLE_TYPES.has(type) || valuesAt + length * bytes > view.byteLength) return [];
  const read = (at: number): number => {
    if (bytes === 1) return view.getUint8(at);
    if (bytes === 2) return view.getUint16(at, isLittle);
    return bytes === 4 ? view.getUint32(at, isLittle) : Number(view.getBigUint64(at, isLittle));
  };
  return Array.from({ length }, (_, place) => read(valuesAt + place * bytes));
}

/** Reads the first directory of a TIFF; no fields where it is none. @param wanted tags to read; all when absent */
export function readFirstDirectory(file: Bytes, wanted?: ReadonlySet<number>): TiffField[] {
  const stream = openTiff(file);
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
  const fields: TiffField[] = [];
  const seen = new Set<number>();
  for (const entry of (depth <= DEPTH_MAX && listEntries(stream, offset)?.entries) || []) {
    const { tag } = entry;
    if (seen.has(tag) || (wanted && !wanted.has(tag))) continue;
    seen.add(tag);
    if (POINTERS.has(tag)) {
      const [start = Number.POSITIVE_INFINITY] = readWholeNumbers(stream.view, entry, stream, 1);
      const directory = readDirectory(stream, start, undefined, depth + 1);
      if (directory.length) fields.push({ tag, type: TYPE.long, value: new Uint8Array(0), directory });
      continue;
    }
    const field = readField(stream, entry);
    if (field) fields.push(field);
  }
  return fields;
}

function readField({ view, isLittle, left }: TiffStream, entry: TiffEntry): TiffField | null {
  const { tag, type, bytes, isInline, valuesAt } = entry;
  if (!hasValues(view, entry) || bytes > left.bytes) return null;
  left.bytes -= bytes;
  const value = new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset + valuesAt, bytes).slice();
  const unit = SWAP_BYTES[type] ?? 1;
  if (!isLittle && unit > 1)
    for (let start = 0; start < bytes; start += unit) value.subarray(start, start + unit).reverse();
  return tag === TAG.makerNote && !isInline ? { tag, type, value, at: valuesAt } : { tag, type, value };
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
  const [redX, redY, greenX, greenY, blueX, blueY] = readNumbers(fields, TAG.primaryChromaticities);
  const [whiteX = D65[0], whiteY = D65[1]] = readNumbers(fields, TAG.whitePoint);
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

import type { Bytes } from '../../bytes/byte-writer.ts';
import { TYPE_BYTES } from './directory.ts';

/** Limit on the fields of a directory. */
export const FIELDS_MAX = 5000;

/** Byte order and widths of a TIFF or BigTIFF (Adobe's TIFF technical notes), with views of its bytes. */
export interface TiffLayout {
  readonly view: DataView;
  readonly isLittle: boolean;
  readonly isBig: boolean;
  /** Position of the offset of the first page. */
  readonly firstAt: number;
}

/** Position and length of the parts of a directory. */
interface DirectoryWidths {
  readonly countBytes: number;
  readonly entryBytes: number;
  /** Position of the value, or of its offset, within an entry. */
  readonly valueAt: number;
  readonly offsetBytes: number;
}

/** Reads the header; null for what is no TIFF. */
export function openTiffLayout(file: Bytes): TiffLayout | null {
  if (file.length < 16) return null;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const isLittle = view.getUint16(0) === 0x4949;
  const version = view.getUint16(2, isLittle);
  if (version !== 42 && version !== 43) return null;
  return { view, isLittle, isBig: version === 43, firstAt: version === 43 ? 8 : 4 };
}

export function getWidths({ isBig }: Pick<TiffLayout, 'isBig'>): DirectoryWidths {
  return isBig
    ? { countBytes: 8, entryBytes: 20, valueAt: 12, offsetBytes: 8 }
    : { countBytes: 2, entryBytes: 12, valueAt: 8, offsetBytes: 4 };
}

/** Reads an offset, or a count of values; 0 beyond the end of the file. */
export function readOffset({ view, isLittle, isBig }: TiffLayout, at: number): number {
  if (at + (isBig ? 8 : 4) > view.byteLength) return 0;
  return isBig ? Number(view.getBigUint64(at, isLittle)) : view.getUint32(at, isLittle);
}

/** Directory of a page, in a file that may end within it. */
export interface DirectoryPlace {
  readonly count: number;
  /** Position of the first entry. */
  readonly entriesAt: number;
  readonly entryBytes: number;
  /** Position of the offset of the next page, behind the entries. */
  readonly nextAt: number;
}

/** Finds the entries of a directory; null when it begins outside the file. */
export function findDirectory(layout: TiffLayout, offset: number): DirectoryPlace | null {
  const { view, isLittle, isBig } = layout;
  const { countBytes, entryBytes } = getWidths(layout);
  if (offset + countBytes > view.byteLength) return null;
  const count = isBig ? readOffset(layout, offset) : view.getUint16(offset, isLittle);
  const entriesAt = offset + countBytes;
  return { count, entriesAt, entryBytes, nextAt: entriesAt + count * entryBytes };
}

/** Bytes of a value by type, with BigTIFF's LONG8, SLONG8 and IFD8: 16 to 18. */
const BIG_TYPE_BYTES: readonly number[] = [...TYPE_BYTES, 0, 0, 8, 8, 8];

/** Entry of a directory as it stands in the file. */
export interface TiffEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly bytes: number;
  /** Position of its values. */
  readonly valuesAt: number;
}

/** Reads an entry; null when its values lie outside the file. */
export function readEntry(layout: TiffLayout, at: number): TiffEntry | null {
  const { view, isLittle } = layout;
  const { valueAt, offsetBytes } = getWidths(layout);
  const type = view.getUint16(at + 2, isLittle);
  const count = readOffset(layout, at + 4);
  const bytes = (BIG_TYPE_BYTES[type] ?? 0) * count;
  const valuesAt = bytes > offsetBytes ? readOffset(layout, at + valueAt) : at + valueAt;
  if (bytes < 1 || valuesAt + bytes > view.byteLength) return null;
  return { tag: view.getUint16(at, isLittle), type, count, bytes, valuesAt };
}

/** Reads whole numbers: SHORT, LONG, IFD, and BigTIFF's wide ones; none of another type. */
export function readWholeNumbers(
  { view, isLittle }: TiffLayout,
  { type, count, valuesAt }: TiffEntry,
): number[] {
  const read = (at: number): number => {
    if (type === 3) return view.getUint16(valuesAt + at * 2, isLittle);
    if (type === 4 || type === 13) return view.getUint32(valuesAt + at * 4, isLittle);
    return Number(view.getBigUint64(valuesAt + at * 8, isLittle));
  };
  return [3, 4, 13, 16, 18].includes(type) ? Array.from({ length: count }, (_, at) => read(at)) : [];
}

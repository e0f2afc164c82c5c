import type { Bytes } from '../bytes/byte-writer.ts';

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

export function widthsOf({ isBig }: Pick<TiffLayout, 'isBig'>): DirectoryWidths {
  return isBig
    ? { countBytes: 8, entryBytes: 20, valueAt: 12, offsetBytes: 8 }
    : { countBytes: 2, entryBytes: 12, valueAt: 8, offsetBytes: 4 };
}

/** Reads an offset, or a count of values; 0 beyond the end of the file. */
export function readOffset({ view, isLittle, isBig }: TiffLayout, at: number): number {
  if (at + (isBig ? 8 : 4) > view.byteLength) return 0;
  return isBig ? Number(view.getBigUint64(at, isLittle)) : view.getUint32(at, isLittle);
}

/** Bytes of a value by type; those from 16 on are BigTIFF's LONG8, SLONG8 and IFD8. */
const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

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
  const { valueAt, offsetBytes } = widthsOf(layout);
  const type = view.getUint16(at + 2, isLittle);
  const count = readOffset(layout, at + 4);
  const bytes = (TYPE_BYTES[type] ?? 0) * count;
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

import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import {
  damagedTiff,
  hasValues,
  listEntries,
  openTiff,
  POINTERS,
  readWholeNumbers,
  type TiffEntry,
  type TiffStream,
  TYPE,
} from './directory.ts';
import { findTiffPictures, SUB_IFDS, type TiffPlace } from './pages.ts';

const ENTRY_BYTES = 12;
const INLINE_BYTES = 4;
const DEPTH_MAX = 3;
/** Room for directories that are larger in the classic kind: values of up to 8 bytes stay where they are. */
const ROOM_BYTES = 100_000;
/** Types of BigTIFF with values of 8 bytes, and their classic equals: LONG8, SLONG8 and IFD8. */
const NARROW_TYPES: Readonly<Record<number, number>> = { 16: TYPE.long, 17: 9, 18: 13 };
/**
 * Fields of the file's first page that hold for a picture elsewhere in it: TIFF/EP (ISO 12234-2) keeps what describes
 * the photograph with its reduced copy. Names, date, orientation, XMP, IPTC, and the Exif and GPS directories.
 */
const OF_THE_FILE: ReadonlySet<number> = new Set([
  270, 271, 272, 274, 305, 306, 315, 316, 700, 18246, 18249, 33432, 33723, 34665, 34853,
]);

/** TIFF of the classic kind whose chain of pages has the full pictures only. */
export interface SimpleTiff {
  readonly bytes: Bytes;
  /** Whether a reduced copy or a mask stands before the first full picture. */
  readonly beganReduced: boolean;
}

/**
 * Makes every reader of a TIFF find its full pictures only, and find them alike: takes reduced copies and masks out of
 * the chain of pages, puts full pictures of SubIFDs into it, and gives a BigTIFF the directories of a classic TIFF.
 * Samples stay where they are. A file without a full picture keeps its pages.
 * @param file of the caller, which may be changed
 * @throws OperationError `unprocessable` when directories overlap, or reach beyond 4 GB
 */
export function simplifyTiff(file: Bytes): SimpleTiff {
  const stream = openTiff(file);
  const found = stream && findTiffPictures(stream);
  const page = found?.pictures[0];
  if (!stream || !page) return { bytes: file, beganReduced: false };
  const beganReduced = found.first?.offset !== page.offset;
  if (!stream.isBig && !beganReduced) {
    if (!found.isPlain) relinkPages(stream, found.pictures);
    return { bytes: file, beganReduced };
  }
  return { bytes: rewriteDirectories(file, stream, found.pictures, found.first ?? page), beganReduced };
}

function relinkPages(stream: TiffStream, pages: readonly TiffPlace[]): void {
  const { view, isLittle } = stream;
  let linkAt = stream.firstAt;
  for (const { offset, nextAt } of pages) {
    view.setUint32(linkAt, offset, isLittle);
    linkAt = nextAt;
  }
  if (linkAt + 4 <= view.byteLength) view.setUint32(linkAt, 0, isLittle);
}

/** Appends classic directories, and a header that leads to them. */
function rewriteDirectories(
  file: Bytes,
  stream: TiffStream,
  pages: readonly TiffPlace[],
  first: TiffPlace,
): Bytes {
  const tail = new DirectoryTail(stream);
  const isFirst = first.offset === pages[0]?.offset;
  const inherited = isFirst ? [] : entriesAt(stream, first.offset).filter(({ tag }) => OF_THE_FILE.has(tag));
  const starts = pages.map(({ offset }) => {
    const own = entriesAt(stream, offset);
    const tags = new Set(own.map(({ tag }) => tag));
    return tail.append([...own, ...inherited.filter(({ tag }) => !tags.has(tag))]);
  });
  const whole = concat([file, ...tail.parts]);
  const view = new DataView(whole.buffer);
  view.setUint16(2, 42, stream.isLittle);
  starts.forEach(({ start }, place) => {
    const linkAt = place === 0 ? 4 : (starts[place - 1]?.nextAt ?? 0);
    view.setUint32(linkAt, start, stream.isLittle);
  });
  return whole;
}

/** Reads the entries of a directory, without those that lead outside the chain of pages. */
function entriesAt(stream: TiffStream, offset: number): TiffEntry[] {
  const { entries = [] } = listEntries(stream, offset) ?? {};
  return entries.filter((entry) => hasValues(stream.view, entry) && entry.tag !== SUB_IFDS);
}

/** Classic directories, in the byte order of a file, that are to be appended to it. */
class DirectoryTail {
  readonly parts: Bytes[];
  readonly #stream: TiffStream;
  #end: number;

  constructor(stream: TiffStream) {
    const { byteLength } = stream.view;
    // A directory begins at an even position: TIFF 6.0, section 2.
    this.parts = [new Uint8Array(byteLength % 2)];
    this.#stream = stream;
    this.#end = byteLength + (byteLength % 2);
  }

  /** Appends a directory, behind what its entries point at. Returns its position, and that of its link. */
  append(entries: readonly TiffEntry[], depth = 0): { readonly start: number; readonly nextAt: number } {
    const { isLittle } = this.#stream;
    const sorted = entries.toSorted((left, right) => left.tag - right.tag);
    const directory = new Uint8Array(2 + sorted.length * ENTRY_BYTES + 4);
    const view = new DataView(directory.buffer);
    view.setUint16(0, sorted.length, isLittle);
    sorted.forEach((entry, index) => {
      this.#writeEntry(entry, new DataView(directory.buffer, 2 + index * ENTRY_BYTES, ENTRY_BYTES), depth);
    });
    const start = this.#place(directory);
    return { start, nextAt: start + directory.length - 4 };
  }

  #writeEntry(entry: TiffEntry, into: DataView, depth: number): void {
    const { view, isLittle, isBig } = this.#stream;
    const { tag, type, count, bytes, valuesAt } = entry;
    const isPointer = isBig && POINTERS.has(tag);
    const narrow = NARROW_TYPES[type];
    into.setUint16(0, tag, isLittle);
    into.setUint16(2, isPointer ? TYPE.long : (narrow ?? type), isLittle);
    into.setUint32(4, isPointer ? 1 : count, isLittle);
    if (isPointer) {
      const [offset = 0] = readWholeNumbers(view, entry, this.#stream, 1);
      const pointed = depth < DEPTH_MAX ? entriesAt(this.#stream, offset) : [];
      into.setUint32(8, this.append(pointed, depth + 1).start, isLittle);
    } else if (narrow !== undefined) {
      const values = this.#narrowValues(entry);
      into.setUint32(
        8,
        count === 1 ? values.getUint32(0, isLittle) : this.#place(getBytes(values)),
        isLittle,
      );
    } else if (bytes <= INLINE_BYTES) {
      getBytes(into).set(new Uint8Array(view.buffer, view.byteOffset + valuesAt, bytes), 8);
    } else into.setUint32(8, assertClassic(valuesAt), isLittle);
  }

  /** Returns the lower halves of values of 8 bytes. */
  #narrowValues({ count, valuesAt }: TiffEntry): DataView {
    const { view, isLittle } = this.#stream;
    const values = new DataView(new ArrayBuffer(count * 4));
    for (let at = 0; at < count; at++) {
      const value = assertClassic(Number(view.getBigInt64(valuesAt + at * 8, isLittle)));
      values.setInt32(at * 4, value | 0, isLittle);
    }
    return values;
  }

  /** Appends bytes of an even number and returns their position. */
  #place(bytes: Bytes): number {
    const start = this.#end;
    this.parts.push(bytes);
    this.#end = assertClassic(start + bytes.length);
    // Directories take their own bytes in the file: only overlapping ones could outgrow it.
    if (this.#end > 2 * this.#stream.view.byteLength + ROOM_BYTES)
      throw damagedTiff('its directories are invalid');
    return start;
  }
}

function getBytes({ buffer, byteOffset, byteLength }: DataView): Bytes {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** @throws OperationError `unprocessable` for what takes more than 32 bits */
function assertClassic(value: number): number {
  if (value < 2 ** 32) return value;
  throw damagedTiff('its directories are invalid');
}

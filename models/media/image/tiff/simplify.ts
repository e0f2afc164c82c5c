import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import {
  damagedTiff,
  getWidths,
  hasValues,
  joinEntries,
  listEntries,
  openTiff,
  type TiffEntry,
  type TiffStream,
  writeOffset,
} from './directory.ts';
import { findTiffPictures, SUB_IFDS, type TiffPlace } from './pages.ts';

/** Room for appended directories, besides that of the file: those of a real one take their own bytes in it. */
const ROOM_BYTES = 100_000;
/**
 * Fields of the file's first page that hold for a picture elsewhere in it: TIFF/EP (ISO 12234-2) keeps what describes
 * the photograph with its reduced copy. Names, date, orientation, XMP, IPTC, and the Exif and GPS directories.
 */
const OF_THE_FILE: ReadonlySet<number> = new Set([
  270, 271, 272, 274, 305, 306, 315, 316, 700, 18246, 18249, 33432, 33723, 34665, 34853,
]);

/** TIFF whose chain of pages has the full pictures only. */
export interface SimpleTiff {
  readonly bytes: Bytes;
  /** Whether a reduced copy or a mask stands before the first full picture. */
  readonly beganReduced: boolean;
}

/**
 * Makes every reader of a TIFF find its full pictures only, and find them alike: takes reduced copies and masks out of
 * the chain of pages, and puts full pictures of SubIFDs into it. Samples and values stay where they are. A file without a
 * full picture keeps its pages.
 * @param file of the caller, which may be changed
 * @throws OperationError `unprocessable` when directories overlap
 */
export function simplifyTiff(file: Bytes): SimpleTiff {
  const stream = openTiff(file);
  const found = stream && findTiffPictures(stream);
  if (!stream || !found?.first || found.isPlain) return { bytes: file, beganReduced: false };
  const { pictures, first } = found;
  if (first.offset !== pictures[0]?.offset)
    return { bytes: appendPages(file, stream, pictures, first), beganReduced: true };
  relinkPages(stream, pictures);
  return { bytes: file, beganReduced: false };
}

function relinkPages(stream: TiffStream, pages: readonly TiffPlace[]): void {
  const { view } = stream;
  let linkAt = stream.firstAt;
  for (const { offset, nextAt } of pages) {
    writeOffset(view, linkAt, offset, stream);
    linkAt = nextAt;
  }
  if (linkAt + getWidths(stream).offsetBytes <= view.byteLength) writeOffset(view, linkAt, 0, stream);
}

/** Appends the directories of pages, with what the first page says of the file, and leads to them. */
function appendPages(file: Bytes, stream: TiffStream, pages: readonly TiffPlace[], first: TiffPlace): Bytes {
  const inherited = entriesAt(stream, first.offset).filter(({ tag }) => OF_THE_FILE.has(tag));
  // A directory begins at an even position: TIFF 6.0, section 2.
  const parts = [file, new Uint8Array(file.length % 2)];
  const start = file.length + (file.length % 2);
  let end = start;
  pages.forEach(({ offset }, place) => {
    const own = entriesAt(stream, offset);
    const tags = new Set(own.map(({ tag }) => tag));
    const entries = [...own, ...inherited.filter(({ tag }) => !tags.has(tag))]
      .sort((left, right) => left.tag - right.tag)
      .map(({ at }) => file.subarray(at, at + getWidths(stream).entryBytes));
    const directory = joinEntries(entries, stream);
    end += directory.length;
    if (end > 2 * file.length + ROOM_BYTES) throw damagedTiff('its directories are invalid');
    const linkAt = directory.length - getWidths(stream).offsetBytes;
    if (place < pages.length - 1) writeOffset(new DataView(directory.buffer), linkAt, end, stream);
    parts.push(directory);
  });
  const whole = concat(parts);
  writeOffset(new DataView(whole.buffer), stream.firstAt, start, stream);
  return whole;
}

/** Reads the entries of a directory, without those that lead outside the chain of pages. */
function entriesAt(stream: TiffStream, offset: number): TiffEntry[] {
  const { entries = [] } = listEntries(stream, offset) ?? {};
  return entries.filter((entry) => hasValues(stream.view, entry) && entry.tag !== SUB_IFDS);
}

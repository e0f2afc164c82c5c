import type { ImageMetadata, PrintResolution } from '../../../core/runtime/image-codec.ts';
import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';
import {
  INCH,
  openTiffStream,
  RESOLUTION_TAGS,
  readDirectory,
  readFirstDirectory,
  readNumbers,
  resolutionRational,
  TAG,
  type TiffDirectory,
  type TiffField,
  TYPE,
  writeDirectory,
} from './directory.ts';
import { pageOffsets } from './pages.ts';

/**
 * Fields of a main directory that describe the image, not its sample layout: names, description, make, model, software,
 * date, artist, host, ratings, copyright, Windows' own fields, and the Exif and GPS directories (EXIF 2.32, 4.6).
 */
const DESCRIPTIVE: ReadonlySet<number> = new Set([
  269, 270, 271, 272, 285, 305, 306, 315, 316, 18246, 18249, 33432, 34665, 34853, 40091, 40092, 40093, 40094,
  40095,
]);

/** Length of the head of a file: order, version, position of the first directory. */
const HEAD_BYTES = 8;

/** Positions of strips and of tiles: TIFF 6.0, sections 8 and 15. */
const OFFSETS: ReadonlySet<number> = new Set([273, 324]);

/** A MakerNote that ends beyond would not fit into the EXIF of a JPEG at its position. */
const MAKER_NOTE_END_MAX = 60_000;

/** A longer text would take all other EXIF out of a JPEG, whose segments hold 64 kB. Microscopes describe each sample. */
const VALUE_BYTES_MAX = 60_000;

/** Returns the metadata of a TIFF file as an EXIF block, or nothing when it has none. */
export function exifOfTiff(file: Bytes): Bytes | undefined {
  const described = readFirstDirectory(file, DESCRIPTIVE);
  const found = described.filter(({ value }) => value.length <= VALUE_BYTES_MAX);
  const isNear = (findMakerNote(found)?.end ?? 0) <= MAKER_NOTE_END_MAX;
  const fields = isNear ? found : withoutMakerNote(found);
  if (!fields.length) return undefined;
  const front = writeFront(fields);
  return concat([front, writeDirectory(fields, front.length, 0)]);
}

/** Reports whether `exifOfTiff` leaves out a MakerNote, which stands too far behind to keep its position. */
export function lostMakerNote(file: Bytes): boolean {
  const note = findMakerNote(readFirstDirectory(file, DESCRIPTIVE));
  return note ? note.end > MAKER_NOTE_END_MAX : false;
}

/** MakerNote, which has its position. */
interface PlacedNote {
  readonly at: number;
  readonly end: number;
  readonly value: Bytes;
}

/** Finds the MakerNote in the Exif directory of a main one. */
function findMakerNote(fields: TiffDirectory): PlacedNote | undefined {
  const details = fields.find(({ tag }) => tag === TAG.exif)?.directory ?? [];
  const { at, value } = details.find(({ tag }) => tag === TAG.makerNote) ?? {};
  return at === undefined || !value ? undefined : { at, end: at + value.length, value };
}

function withoutMakerNote(fields: TiffDirectory): TiffDirectory {
  return fields.map((field) =>
    field.tag === TAG.exif && field.directory
      ? { ...field, directory: field.directory.filter(({ tag }) => tag !== TAG.makerNote) }
      : field,
  );
}

/** Writes the head of a little-endian file whose first directory follows, with room for a MakerNote at its position. */
function writeFront(fields: TiffDirectory): Bytes {
  const note = findMakerNote(fields);
  const front = new Uint8Array(note ? note.end + (note.end % 2) : HEAD_BYTES);
  front.set([0x49, 0x49, 42, 0]);
  new DataView(front.buffer).setUint32(4, front.length, true);
  if (note) front.set(note.value, note.at);
  return front;
}

/**
 * Puts metadata into the first page of a little-endian TIFF and the resolution into all, in place of one that its
 * encoder made up: rewrites the directories at the end. A MakerNote gets the position that it had in its EXIF block,
 * since offsets inside of it count from there; the samples move behind it.
 * @returns the parts of the file in order
 */
export function writeTiffMetadata(file: Bytes, metadata: ImageMetadata): Bytes[] {
  const stream = openTiffStream(file);
  if (!stream?.isLittle) return [file];
  const added = addedFields(metadata);
  const front = writeFront(added);
  const moved = front.length - HEAD_BYTES;
  const pages = pageOffsets(file).map((at, place) =>
    withFields(
      readDirectory(stream, at).map((field) => moveSamples(field, moved)),
      place === 0 ? added : [],
      metadata,
    ),
  );
  const padding = new Uint8Array(file.length % 2);
  const offset = file.length + moved + padding.length;
  new DataView(front.buffer).setUint32(4, offset, true);
  return [front, file.subarray(HEAD_BYTES), padding, ...writePages(pages, offset)];
}

/** Corrects the positions of strips and tiles. */
function moveSamples(field: TiffField, moved: number): TiffField {
  if (!OFFSETS.has(field.tag) || moved === 0) return field;
  const offsets = Uint32Array.from(readNumbers([field], field.tag), (offset) => offset + moved);
  return { tag: field.tag, type: TYPE.long, value: new Uint8Array(offsets.buffer) };
}

function* writePages(pages: readonly TiffDirectory[], start: number): Generator<Bytes> {
  let offset = start;
  for (const [place, page] of pages.entries()) {
    const isLast = place === pages.length - 1;
    const next = isLast ? 0 : offset + writeDirectory(page, offset, 0).length;
    yield writeDirectory(page, offset, next);
    offset = next;
  }
}

function withFields(page: TiffDirectory, added: TiffDirectory, { resolution }: ImageMetadata): TiffDirectory {
  const replaced = new Set([...RESOLUTION_TAGS, ...added.map((field) => field.tag)]);
  return [
    ...page.filter((field) => !replaced.has(field.tag)),
    ...added,
    ...(resolution ? resolutionFields(resolution) : []),
  ];
}

function addedFields({ icc, exif, xmp, iptc }: ImageMetadata): TiffDirectory {
  return [
    ...(exif ? readFirstDirectory(exif, DESCRIPTIVE) : []),
    ...(xmp ? [{ tag: TAG.xmp, type: TYPE.byte, value: xmp }] : []),
    ...(iptc ? [{ tag: TAG.iptc, type: TYPE.undefined, value: iptc }] : []),
    ...(icc ? [{ tag: TAG.icc, type: TYPE.undefined, value: icc }] : []),
  ];
}

function resolutionFields({ x, y }: PrintResolution): TiffDirectory {
  return [
    { tag: TAG.xResolution, type: TYPE.rational, value: rational(x) },
    { tag: TAG.yResolution, type: TYPE.rational, value: rational(y) },
    { tag: TAG.resolutionUnit, type: TYPE.short, value: u8(INCH, 0) },
  ];
}

function rational(pixelsPerInch: number): Bytes {
  const value = new Uint8Array(8);
  const view = new DataView(value.buffer);
  resolutionRational(pixelsPerInch).forEach((part, index) => {
    view.setUint32(index * 4, part, true);
  });
  return value;
}

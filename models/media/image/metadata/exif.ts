import type { Orientation } from '../../../kernels/raster/orient-raster.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import {
  getWidths,
  listEntries,
  openTiff,
  openTiffStream,
  TAG,
  type TiffStream,
  TYPE,
} from '../tiff/directory.ts';

/** Directory within an EXIF block, edited in place: offsets inside a MakerNote stay valid only if nothing moves. */
export interface ExifDirectory extends TiffStream {
  readonly bytes: Bytes;
  readonly start: number;
  /** Positions of its entries by tag; of a repeated tag, the first. */
  readonly entries: ReadonlyMap<number, number>;
  /** Position of the offset of the next directory. */
  readonly nextAt: number;
}

const PREFIX = 'Exif\0\0';
export const UPRIGHT: Orientation = { quarterTurns: 0, isMirrored: false };

/** Transforms for Orientation 1 to 8. */
const ORIENTATIONS: readonly Orientation[] = [
  UPRIGHT,
  { quarterTurns: 0, isMirrored: true },
  { quarterTurns: 2, isMirrored: false },
  { quarterTurns: 2, isMirrored: true },
  { quarterTurns: 1, isMirrored: true },
  { quarterTurns: 1, isMirrored: false },
  { quarterTurns: 3, isMirrored: true },
  { quarterTurns: 3, isMirrored: false },
];

/** Returns the TIFF stream of an EXIF block, without the `Exif\0\0` prefix of JPEG and others. */
export function getTiffStream(exif: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return String.fromCharCode(...exif.subarray(0, 6)) === PREFIX ? exif.subarray(6) : exif;
}

/**
 * Copies EXIF with the main image's Orientation set to 1. Returns unreadable EXIF unchanged.
 * @param exif a TIFF stream, as in EXIF 2.32, 4.5
 */
export function resetExifOrientation(exif: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = exif.slice();
  const stream = openTiff(copy);
  for (const at of orientationsAt(stream)) stream?.view.setUint16(at, 1, stream.isLittle);
  return copy;
}

/**
 * Returns how an image with this EXIF must be rotated, then mirrored, to be upright: EXIF 2.32, 4.6.4, Orientation.
 * @param exif a TIFF stream
 */
export function getOrientation(exif: Uint8Array<ArrayBuffer>): Orientation {
  const stream = openTiff(exif);
  const [value = 1] = orientationsAt(stream).map((at) => stream?.view.getUint16(at, stream.isLittle));
  return ORIENTATIONS[value - 1] ?? UPRIGHT;
}

/** Returns the positions of the main image's Orientation values. */
function orientationsAt(stream: TiffStream | null): number[] {
  const { entries = [] } = (stream && listEntries(stream, stream.firstOffset)) ?? {};
  const orientations = entries.filter(({ tag }) => tag === TAG.orientation);
  return stream ? orientations.map(({ at }) => at + getWidths(stream).valueAt) : [];
}

/** Opens the main directory of an EXIF block: EXIF 2.32, 4.6.2. @returns null when it is none */
export function openMainDirectory(bytes: Bytes): ExifDirectory | null {
  const stream = openTiffStream(bytes);
  return stream && openDirectory({ ...stream, bytes }, stream.firstOffset);
}

/** Opens the directory that a field of another one points at. @returns null when there is none */
export function openSubdirectory(parent: ExifDirectory, pointerTag: number): ExifDirectory | null {
  const at = parent.entries.get(pointerTag);
  return at === undefined ? null : openDirectory(parent, parent.view.getUint32(at + 8, parent.isLittle));
}

/** Opens the directory after another one: that of the thumbnail. @returns null when there is none */
export function openNextDirectory(directory: ExifDirectory): ExifDirectory | null {
  const { bytes, view, isLittle, nextAt } = directory;
  if (nextAt + 4 > bytes.length) return null;
  const offset = view.getUint32(nextAt, isLittle);
  return offset === 0 ? null : openDirectory(directory, offset);
}

function openDirectory(
  stream: TiffStream & Pick<ExifDirectory, 'bytes'>,
  start: number,
): ExifDirectory | null {
  const list = start < 8 ? null : listEntries(stream, start);
  const entries = new Map(list?.entries.toReversed().map(({ tag, at }) => [tag, at] as const));
  return list && { ...stream, start, entries, nextAt: list.nextAt };
}

/** Sets a field to one number, as SHORT where it fits, if the directory has that field. */
export function setNumber({ view, isLittle, entries }: ExifDirectory, tag: number, value: number): void {
  const at = entries.get(tag);
  if (at === undefined) return;
  const isShort = value <= 0xffff;
  view.setUint16(at + 2, isShort ? TYPE.short : TYPE.long, isLittle);
  view.setUint32(at + 4, 1, isLittle);
  view.setUint32(at + 8, 0);
  if (isShort) view.setUint16(at + 8, value, isLittle);
  else view.setUint32(at + 8, value, isLittle);
}

/** Reads a SHORT or LONG. */
export function readNumber({ view, isLittle, entries }: ExifDirectory, tag: number): number | undefined {
  const at = entries.get(tag);
  if (at === undefined) return undefined;
  const type = view.getUint16(at + 2, isLittle);
  if (type === TYPE.short) return view.getUint16(at + 8, isLittle);
  return type === TYPE.long ? view.getUint32(at + 8, isLittle) : undefined;
}

/** Returns the position of a RATIONAL's numerator. */
export function rationalAt(directory: ExifDirectory, tag: number): number | undefined {
  const { bytes, view, isLittle, entries } = directory;
  const at = entries.get(tag);
  if (at === undefined || view.getUint16(at + 2, isLittle) !== TYPE.rational) return undefined;
  const offset = view.getUint32(at + 8, isLittle);
  return offset + 8 <= bytes.length ? offset : undefined;
}

import type { ImageMetadata } from '../../runtime/image-codec.ts';
import { type Bytes, concat, u8 } from '../bytes/byte-writer.ts';
import {
  openTiffStream,
  readDirectory,
  TIFF_UNDEFINED,
  type TiffDirectory,
  type TiffField,
  writeDirectory,
} from './directory.ts';

const XMP = 700;
const ICC = 34675;

/**
 * Fields of a main directory that describe the image, not its sample layout: description, make, model, software,
 * date, artist, host, copyright, and the Exif and GPS directories (EXIF 2.32, 4.6).
 */
const DESCRIPTIVE: ReadonlySet<number> = new Set([270, 271, 272, 305, 306, 315, 316, 33432, 34665, 34853]);

function isDescriptive({ tag }: TiffField): boolean {
  return DESCRIPTIVE.has(tag);
}

/** Returns the metadata of a TIFF file as an EXIF block, or nothing when it has none. */
export function exifOfTiff(file: Bytes): Bytes | undefined {
  const stream = openTiffStream(file);
  const fields = stream ? readDirectory(stream, stream.firstOffset).filter(isDescriptive) : [];
  if (!fields.length) return undefined;
  return concat([u8(0x49, 0x49, 42, 0, 8, 0, 0, 0), writeDirectory(fields, 8, 0)]);
}

/**
 * Puts metadata into the first page of a little-endian TIFF: rewrites its directory at the end and leaves the samples
 * in place. Offsets inside a MakerNote are undocumented and may no longer hold.
 * @returns the parts of the file in order
 */
export function writeTiffMetadata(file: Bytes, metadata: ImageMetadata): Bytes[] {
  const stream = openTiffStream(file);
  if (!stream?.isLittle) return [file];
  const page = readDirectory(stream, stream.firstOffset);
  const added = addedFields(metadata);
  const addedTags = new Set(added.map((field) => field.tag));
  const nextAt = stream.firstOffset + 2 + stream.view.getUint16(stream.firstOffset, true) * 12;
  const padding = new Uint8Array(file.length % 2);
  const offset = file.length + padding.length;
  const fields = [...page.filter((field) => !addedTags.has(field.tag)), ...added];
  const head = file.slice(0, 8);
  new DataView(head.buffer).setUint32(4, offset, true);
  return [
    head,
    file.subarray(8),
    padding,
    writeDirectory(fields, offset, stream.view.getUint32(nextAt, true)),
  ];
}

function addedFields({ icc, exif, xmp }: ImageMetadata): TiffDirectory {
  const stream = exif && openTiffStream(exif);
  return [
    ...(stream ? readDirectory(stream, stream.firstOffset).filter(isDescriptive) : []),
    ...(xmp ? [{ tag: XMP, type: 1, value: xmp }] : []),
    ...(icc ? [{ tag: ICC, type: TIFF_UNDEFINED, value: icc }] : []),
  ];
}

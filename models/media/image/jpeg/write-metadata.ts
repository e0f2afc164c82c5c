import type { ImageMetadata, PrintResolution } from '../../../core/runtime/image-codec.ts';
import { ascii, type Bytes, concat, u8, u16 } from '../../bytes/byte-writer.ts';
import { writeImageResource } from '../iptc.ts';
import { splitXmp } from '../metadata/split-packet.ts';
import { divideExtension } from './extended-xmp.ts';
import { COM } from './segments.ts';

/** A segment holds its length in 16 bits, those two bytes included: ITU-T T.81, B.1.1.4. */
const SEGMENT_BYTES_MAX = 0xffff - 2;
const ICC_HEAD_BYTES = 14;
const EXIF_HEAD = 'Exif\0\0';
const XMP_HEAD = 'http://ns.adobe.com/xap/1.0/\0';
export const PHOTOSHOP_HEAD = 'Photoshop 3.0\0';

const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
export const APP13 = 0xed;
/** Unit of a JFIF density: none, in which only the ratio counts, or an inch. */
const JFIF_UNIT = { none: 0, inch: 1 };
const DENSITY_MAX = 0xffff;

/** Limits on the blocks that a JPEG holds in one segment each, in bytes. */
export const JPEG_BLOCK_BYTES_MAX = {
  exif: SEGMENT_BYTES_MAX - EXIF_HEAD.length,
  xmp: SEGMENT_BYTES_MAX - XMP_HEAD.length,
  /** Next to the head of an image resource and its padding. */
  iptc: SEGMENT_BYTES_MAX - PHOTOSHOP_HEAD.length - 13,
  text: SEGMENT_BYTES_MAX,
} as const;

/**
 * Puts metadata into a JPEG without any: the resolution in JFIF's APP0, EXIF (EXIF 2.32, 4.7.2) in one APP1 segment,
 * XMP in one or, beyond 64 kB, with an extension in others (part 3, 1.1.3), IPTC in APP13, the profile in APP2 segments
 * (ICC.1:2022, B.4), texts in comments. Omits EXIF, IPTC and texts beyond 64 kB, and XMP that cannot be split.
 * @returns the parts of the file in order
 */
export function writeJpegMetadata(
  file: Bytes,
  { exif, xmp, icc, iptc, resolution, texts = [] }: ImageMetadata,
): Bytes[] {
  // JFIF requires its APP0 first.
  const hasJfif = file[3] === APP0;
  const insertAt = hasJfif ? 4 + (((file[4] ?? 0) << 8) | (file[5] ?? 0)) : 2;
  return [
    u8(0xff, 0xd8),
    ...(hasJfif || resolution ? jfifSegment(resolution) : []),
    ...(exif ? segment(APP1, ascii(EXIF_HEAD), exif) : []),
    ...(xmp ? xmpSegments(xmp) : []),
    ...(iptc ? segment(APP13, ascii(PHOTOSHOP_HEAD), writeImageResource(iptc)) : []),
    ...(icc ? iccSegments(icc) : []),
    ...texts.flatMap(({ text }) => segment(COM, new TextEncoder().encode(text))),
    file.subarray(insertAt),
  ];
}

/** Writes JFIF 1.02 without a thumbnail. */
function jfifSegment(resolution: PrintResolution | undefined): Bytes[] {
  const densities = [resolution?.x ?? 1, resolution?.y ?? 1].map((density) =>
    Math.min(DENSITY_MAX, Math.max(1, Math.round(density))),
  );
  const unit = resolution ? JFIF_UNIT.inch : JFIF_UNIT.none;
  return segment(APP0, ascii('JFIF\0'), u8(1, 2, unit), u16(...densities), u8(0, 0));
}

function segment(marker: number, ...parts: Bytes[]): Bytes[] {
  const body = concat(parts);
  return body.length > SEGMENT_BYTES_MAX ? [] : [u8(0xff, marker), u16(body.length + 2), body];
}

function xmpSegments(xmp: Bytes): Bytes[] {
  const split = xmp.length > JPEG_BLOCK_BYTES_MAX.xmp ? splitXmp(xmp, JPEG_BLOCK_BYTES_MAX.xmp) : null;
  const portions = split ? divideExtension(split.extension, split.guid) : [];
  return [
    ...segment(APP1, ascii(XMP_HEAD), split?.main ?? xmp),
    ...portions.flatMap((portion) => segment(APP1, portion)),
  ];
}

function iccSegments(icc: Bytes): Bytes[] {
  const pieceBytes = SEGMENT_BYTES_MAX - ICC_HEAD_BYTES;
  const count = Math.ceil(icc.length / pieceBytes);
  if (count > 255) return [];
  return Array.from({ length: count }, (_, index) =>
    segment(
      APP2,
      ascii('ICC_PROFILE\0'),
      u8(index + 1, count),
      icc.subarray(index * pieceBytes, (index + 1) * pieceBytes),
    ),
  ).flat();
}

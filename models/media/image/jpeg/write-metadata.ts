import type { ImageMetadata, PrintResolution } from '../../../core/runtime/image-codec.ts';
import { ascii, type Bytes, concat, u8, u16 } from '../../bytes/byte-writer.ts';
import { writeImageResource } from '../iptc.ts';
import { splitXmp } from '../metadata/split-packet.ts';
import { divideExtension } from './extended-xmp.ts';
import { HEAD, MARKER } from './segments.ts';

/** A segment holds its length in 16 bits, those two bytes included: ITU-T T.81, B.1.1.4. */
const SEGMENT_BYTES_MAX = 0xffff - 2;
const ICC_HEAD_BYTES = HEAD.icc.length + 2;
/** Unit of a JFIF density: none, in which only the ratio counts, or an inch. */
const JFIF_UNIT = { none: 0, inch: 1 };
const DENSITY_MAX = 0xffff;

/** Limits on the blocks that a JPEG holds in one segment each, in bytes. */
export const JPEG_BLOCK_BYTES_MAX = {
  exif: SEGMENT_BYTES_MAX - HEAD.exif.length,
  xmp: SEGMENT_BYTES_MAX - HEAD.xmp.length,
  /** Next to the head of an image resource and its padding. */
  iptc: SEGMENT_BYTES_MAX - HEAD.photoshop.length - 13,
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
  const hasJfif = file[3] === MARKER.app0;
  const insertAt = hasJfif ? 4 + (((file[4] ?? 0) << 8) | (file[5] ?? 0)) : 2;
  return [
    u8(0xff, 0xd8),
    ...(hasJfif || resolution ? jfifSegment(resolution) : []),
    ...(exif ? segment(MARKER.app1, ascii(HEAD.exif), exif) : []),
    ...(xmp ? xmpSegments(xmp) : []),
    ...(iptc ? segment(MARKER.app13, ascii(HEAD.photoshop), writeImageResource(iptc)) : []),
    ...(icc ? iccSegments(icc) : []),
    ...texts.flatMap(({ text }) => segment(MARKER.comment, new TextEncoder().encode(text))),
    file.subarray(insertAt),
  ];
}

/** Writes JFIF 1.02 without a thumbnail. */
function jfifSegment(resolution: PrintResolution | undefined): Bytes[] {
  const densities = [resolution?.x ?? 1, resolution?.y ?? 1].map((density) =>
    Math.min(DENSITY_MAX, Math.max(1, Math.round(density))),
  );
  const unit = resolution ? JFIF_UNIT.inch : JFIF_UNIT.none;
  return segment(MARKER.app0, ascii(HEAD.jfif), u8(1, 2, unit), u16(...densities), u8(0, 0));
}

function segment(marker: number, ...parts: Bytes[]): Bytes[] {
  const body = concat(parts);
  return body.length > SEGMENT_BYTES_MAX ? [] : [u8(0xff, marker), u16(body.length + 2), body];
}

function xmpSegments(xmp: Bytes): Bytes[] {
  const split = xmp.length > JPEG_BLOCK_BYTES_MAX.xmp ? splitXmp(xmp, JPEG_BLOCK_BYTES_MAX.xmp) : null;
  const portions = split ? divideExtension(split.extension, split.guid) : [];
  return [
    ...segment(MARKER.app1, ascii(HEAD.xmp), split?.main ?? xmp),
    ...portions.flatMap((portion) => segment(MARKER.app1, portion)),
  ];
}

function iccSegments(icc: Bytes): Bytes[] {
  const pieceBytes = SEGMENT_BYTES_MAX - ICC_HEAD_BYTES;
  const count = Math.ceil(icc.length / pieceBytes);
  if (count > 255) return [];
  return Array.from({ length: count }, (_, index) =>
    segment(
      MARKER.app2,
      ascii(HEAD.icc),
      u8(index + 1, count),
      icc.subarray(index * pieceBytes, (index + 1) * pieceBytes),
    ),
  ).flat();
}

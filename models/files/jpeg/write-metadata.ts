import type { ImageMetadata } from '../../runtime/image-codec.ts';
import { ascii, type Bytes, concat, u8, u16 } from '../bytes/byte-writer.ts';

/** A segment holds its length in 16 bits, those two bytes included: ITU-T T.81, B.1.1.4. */
const SEGMENT_BYTES_MAX = 0xffff - 2;
const ICC_HEAD_BYTES = 14;

const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;

/**
 * Puts metadata into a JPEG without any: EXIF (EXIF 2.32, 4.7.2) and XMP (part 3, 1.1.3) each in one APP1 segment,
 * the profile in APP2 segments (ICC.1:2022, B.4). Omits EXIF or XMP beyond 64 kB.
 * @returns the parts of the file in order
 */
export function writeJpegMetadata(file: Bytes, { exif, xmp, icc }: ImageMetadata): Bytes[] {
  // JFIF requires its APP0 first.
  const hasJfif = file[3] === APP0;
  const insertAt = hasJfif ? 4 + (((file[4] ?? 0) << 8) | (file[5] ?? 0)) : 2;
  return [
    file.subarray(0, insertAt),
    ...(exif ? segment(APP1, ascii('Exif\0\0'), exif) : []),
    ...(xmp ? segment(APP1, ascii('http://ns.adobe.com/xap/1.0/\0'), xmp) : []),
    ...(icc ? iccSegments(icc) : []),
    file.subarray(insertAt),
  ];
}

function segment(marker: number, ...parts: Bytes[]): Bytes[] {
  const body = concat(parts);
  return body.length > SEGMENT_BYTES_MAX ? [] : [u8(0xff, marker), u16(body.length + 2), body];
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

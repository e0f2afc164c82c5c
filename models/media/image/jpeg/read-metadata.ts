import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import { startsWith } from '../../bytes/starts-with.ts';
import { readJpegSegments } from './segments.ts';

const APP1 = 0xe1;
const APP2 = 0xe2;
const XMP_HEAD = 'http://ns.adobe.com/xap/1.0/\0';
const ICC_HEAD = 'ICC_PROFILE\0';

/** Reads the metadata segments: EXIF 2.32, 4.7.2; XMP, part 3, 1.1.3; ICC.1:2022, B.4. */
export function readJpegMetadata(file: Bytes): ImageMetadata {
  const segments = readJpegSegments(file);
  const getBodies = (marker: number, head: string) =>
    segments
      .filter((segment) => segment.marker === marker && startsWith(segment.body, head))
      .map(({ body }) => body);
  const [exif] = getBodies(APP1, 'Exif\0\0');
  const [xmp] = getBodies(APP1, XMP_HEAD);
  const profile = getBodies(APP2, ICC_HEAD)
    .map((body) => ({ place: body[ICC_HEAD.length] ?? 0, piece: body.subarray(ICC_HEAD.length + 2) }))
    .sort((left, right) => left.place - right.place);
  return {
    ...(exif ? { exif } : {}),
    ...(xmp ? { xmp: xmp.slice(XMP_HEAD.length) } : {}),
    ...(profile.length ? { icc: concat(profile.map(({ piece }) => piece)) } : {}),
  };
}

import type { ImageMetadata } from '../../image-codec.ts';
import { type Bytes, concat } from '../byte-writer.ts';
import { startsWith } from './text.ts';

const APP1 = 0xe1;
const APP2 = 0xe2;
const START_OF_SCAN = 0xda;
const XMP_HEAD = 'http://ns.adobe.com/xap/1.0/\0';
const ICC_HEAD = 'ICC_PROFILE\0';

/** EXIF 2.32, 4.7.2; XMP, part 3, 1.1.3; ICC.1:2022, B.4. */
export function readJpegMetadata(file: Bytes): ImageMetadata {
  const bodies = applicationBodies(file);
  const find = (marker: number, head: string) =>
    bodies.filter((body) => body.marker === marker && startsWith(body.bytes, head));
  const exif = find(APP1, 'Exif\0\0')[0]?.bytes;
  const xmp = find(APP1, XMP_HEAD)[0]?.bytes;
  const profile = find(APP2, ICC_HEAD)
    .map(({ bytes }) => ({ place: bytes[ICC_HEAD.length] ?? 0, piece: bytes.slice(ICC_HEAD.length + 2) }))
    .sort((left, right) => left.place - right.place);
  return {
    ...(exif ? { exif } : {}),
    ...(xmp ? { xmp: xmp.slice(XMP_HEAD.length) } : {}),
    ...(profile.length ? { icc: concat(profile.map(({ piece }) => piece)) } : {}),
  };
}

/** Bodies of the segments up to the first scan: ITU-T T.81, B.1.1. */
function applicationBodies(file: Bytes): { marker: number; bytes: Bytes }[] {
  const bodies: { marker: number; bytes: Bytes }[] = [];
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff; ) {
    const marker = file[at + 1] ?? 0;
    if (marker === START_OF_SCAN) break;
    if (marker === 0xff) {
      at += 1; // a fill byte
      continue;
    }
    const length = ((file[at + 2] ?? 0) << 8) | (file[at + 3] ?? 0);
    bodies.push({ marker, bytes: file.subarray(at + 4, at + 2 + length) });
    at += 2 + Math.max(2, length);
  }
  return bodies;
}

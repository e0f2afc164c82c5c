import type { ImageMetadata } from '../../image-codec.ts';
import { ascii, type Bytes, concat, u8 } from '../byte-writer.ts';

const HAS_ICC = 0x20;
const HAS_ALPHA = 0x10;
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

interface Chunk {
  readonly type: string;
  /** Header and padding included. */
  readonly bytes: Bytes;
}

/**
 * Puts metadata into a WebP that has none, in the extended format of RFC 9649, 2.7.
 * @param size of the canvas, for a file that is not in the extended format yet
 * @returns the parts of the file in order
 */
export function withWebpMetadata(
  file: Bytes,
  { icc, exif, xmp }: ImageMetadata,
  size: { width: number; height: number; hasAlpha: boolean },
): Bytes[] {
  const [first, ...others] = readChunks(file);
  const flags = (icc ? HAS_ICC : 0) | (exif ? HAS_EXIF : 0) | (xmp ? HAS_XMP : 0);
  const isExtended = first?.type === 'VP8X';
  const head = isExtended ? first.bytes.slice() : extendedHead(size);
  head[8] = (head[8] ?? 0) | flags;
  const images = isExtended || !first ? others : [first, ...others];
  const parts = [
    head,
    ...(icc ? [chunk('ICCP', icc)] : []),
    ...images.map((image) => image.bytes),
    ...(exif ? [chunk('EXIF', exif)] : []),
    ...(xmp ? [chunk('XMP ', xmp)] : []),
  ];
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return [concat([ascii('RIFF'), u32le(length), ascii('WEBP')]), ...parts];
}

function readChunks(file: Bytes): Chunk[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks: Chunk[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length + (length % 2);
    chunks.push({ type: String.fromCharCode(...file.subarray(at, at + 4)), bytes: file.subarray(at, end) });
    at = end;
  }
  return chunks;
}

function extendedHead({
  width,
  height,
  hasAlpha,
}: {
  width: number;
  height: number;
  hasAlpha: boolean;
}): Bytes {
  const size24 = (side: number) => u8(side - 1, (side - 1) >> 8, (side - 1) >> 16);
  return chunk('VP8X', concat([u8(hasAlpha ? HAS_ALPHA : 0, 0, 0, 0), size24(width), size24(height)]));
}

function chunk(type: string, body: Bytes): Bytes {
  return concat([ascii(type), u32le(body.length), body, ...(body.length % 2 ? [u8(0)] : [])]);
}

function u32le(value: number): Bytes {
  return u8(value, value >>> 8, value >>> 16, value >>> 24);
}

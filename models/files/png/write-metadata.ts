import type { ImageMetadata } from '../../runtime/image-codec.ts';
import { ascii, type Bytes, concat, u8, u32 } from '../bytes/byte-writer.ts';
import { adler32 } from '../bytes/checksums.ts';
import { writePngChunk } from './chunks.ts';

/** Signature and IHDR; other chunks may follow. */
const HEAD_BYTES = 8 + 25;
const STORED_BYTES_MAX = 0xffff;

/**
 * Puts metadata into a PNG without any: iCCP, eXIf and XMP in iTXt (PNG, third edition, 11.3).
 * @returns the parts of the file in order
 */
export function writePngMetadata(file: Bytes, { icc, exif, xmp }: ImageMetadata): Bytes[] {
  return [
    file.subarray(0, HEAD_BYTES),
    ...(icc ? [writePngChunk('iCCP', ascii('ICC profile\0\0'), zlibStored(icc))] : []),
    ...(exif ? [writePngChunk('eXIf', exif)] : []),
    ...(xmp ? [writePngChunk('iTXt', ascii('XML:com.adobe.xmp\0\0\0\0\0'), xmp)] : []),
    file.subarray(HEAD_BYTES),
  ];
}

/**
 * Writes a zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4): profiles are small, so nothing is compressed.
 */
function zlibStored(bytes: Bytes): Bytes {
  const blocks: Bytes[] = [];
  for (let at = 0; at < bytes.length; at += STORED_BYTES_MAX) {
    const block = bytes.subarray(at, at + STORED_BYTES_MAX);
    const isLast = at + STORED_BYTES_MAX >= bytes.length;
    const length = block.length;
    blocks.push(u8(isLast ? 1 : 0, length, length >> 8, ~length, ~length >> 8), block);
  }
  return concat([u8(0x78, 0x01), ...blocks, u32(adler32(bytes))]);
}

import type { ImageMetadata, ImageText, PrintResolution } from '../../../core/runtime/image-codec.ts';
import { ascii, type Bytes, concat, u8, u32 } from '../../bytes/byte-writer.ts';
import { adler32 } from '../../bytes/checksums.ts';
import { getPerMetre } from '../../bytes/print-units.ts';
import { iteratePngChunks, writePngChunk } from './chunks.ts';

/** Signature and IHDR; other chunks may follow. */
const HEAD_BYTES = 8 + 25;
const STORED_BYTES_MAX = 0xffff;
/** Length, type and checksum of a chunk. */
const CHUNK_FRAME_BYTES = 12;
/** Unit of pHYs. */
const METRE = 1;

/**
 * Puts metadata into a PNG without any: iCCP, pHYs, eXIf, XMP in iTXt, and texts (PNG, third edition, 11.3). Drops a
 * pHYs of its encoder.
 * @returns the parts of the file in order
 */
export function writePngMetadata(
  file: Bytes,
  { icc, exif, xmp, resolution, texts = [] }: ImageMetadata,
): Bytes[] {
  return [
    file.subarray(0, HEAD_BYTES),
    ...(icc ? [writePngChunk('iCCP', ascii('ICC profile\0\0'), zlibStored(icc))] : []),
    ...(resolution ? [writePngChunk('pHYs', pixelsPerMetre(resolution))] : []),
    ...(exif ? [writePngChunk('eXIf', exif)] : []),
    ...(xmp ? [writePngChunk('iTXt', ascii('XML:com.adobe.xmp\0\0\0\0\0'), xmp)] : []),
    ...texts.map(writeText),
    ...withoutPhysicalSize(file),
  ];
}

/** Writes tEXt where that can hold the text, else iTXt. */
function writeText({ keyword, text, language = '', translated = '' }: ImageText): Bytes {
  const isLatin = [...text].every((letter) => letter <= '\xff' && letter !== '\0');
  if (isLatin && !language && !translated) return writePngChunk('tEXt', ascii(`${keyword}\0${text}`));
  const head = [ascii(`${keyword}\0\0\0`), new TextEncoder().encode(`${language}\0${translated}\0`)];
  return writePngChunk('iTXt', ...head, new TextEncoder().encode(text));
}

function pixelsPerMetre({ x, y }: PrintResolution): Bytes {
  return concat([u32(getPerMetre(x), getPerMetre(y)), u8(METRE)]);
}

/** Returns what follows IHDR, without pHYs, which stands before the samples. */
function withoutPhysicalSize(file: Bytes): Bytes[] {
  let at = HEAD_BYTES;
  for (const { type, body } of iteratePngChunks(file)) {
    if (type === 'IDAT') break;
    if (type === 'IHDR') continue;
    const end = at + CHUNK_FRAME_BYTES + body.length;
    if (type === 'pHYs') return [file.subarray(HEAD_BYTES, at), file.subarray(end)];
    at = end;
  }
  return [file.subarray(HEAD_BYTES)];
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

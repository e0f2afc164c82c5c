import type { ImageMetadata, ImageText, PrintResolution } from '../../../core/runtime/image-codec.ts';
import { ascii, type Bytes, concat, u8, u32 } from '../../bytes/byte-writer.ts';
import { adler32 } from '../../bytes/checksums.ts';
import { getPerMetre } from '../../bytes/print-units.ts';
import { PNG_HEAD_BYTES, withoutChunks, writePngChunk } from './chunks.ts';

const STORED_BYTES_MAX = 0xffff;
/** Unit of pHYs. */
export const METRE = 1;
const PHYSICAL_SIZE: ReadonlySet<string> = new Set(['pHYs']);

/**
 * Puts metadata into a PNG without any: iCCP, pHYs, eXIf, XMP in iTXt, and texts (PNG, third edition, 11.3). Drops a
 * pHYs of its encoder.
 * @returns the parts of the file in order
 */
export function writePngMetadata(
  file: Bytes,
  { icc, exif, xmp, resolution, texts = [] }: ImageMetadata,
): Bytes[] {
  const [head = file, ...rest] = withoutChunks(file, PHYSICAL_SIZE);
  return [
    head.subarray(0, PNG_HEAD_BYTES),
    ...(icc ? [writePngChunk('iCCP', ascii('ICC profile\0\0'), zlibStored(icc))] : []),
    ...(resolution ? [writePngChunk('pHYs', pixelsPerMetre(resolution))] : []),
    ...(exif ? [writePngChunk('eXIf', exif)] : []),
    ...(xmp ? [writePngChunk('iTXt', ascii('XML:com.adobe.xmp\0\0\0\0\0'), xmp)] : []),
    ...texts.map(writeText),
    head.subarray(PNG_HEAD_BYTES),
    ...rest,
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

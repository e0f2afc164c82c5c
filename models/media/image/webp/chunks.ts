import { OperationError } from '../../../core/operation/errors.ts';
import { ascii, type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';

/** A chunk of a WebP file: RFC 9649, 2.3. */
export interface WebpChunk {
  readonly type: string;
  readonly body: Bytes;
}

/** Flags of a `VP8X` chunk: RFC 9649, 2.7. */
export const WEBP_FLAGS = { icc: 0x20, alpha: 0x10, exif: 0x08, xmp: 0x04, animation: 0x02 } as const;

/** Limit against crafted files. An animation has a chunk for each frame, of which libvips reads half as many. */
const CHUNKS_MAX = 200_000;

/**
 * Reads consecutive chunks and omits a damaged end.
 * @throws OperationError `unprocessable` when there are more than `CHUNKS_MAX`
 */
export function readWebpChunks(file: Bytes): WebpChunk[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks: WebpChunk[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const length = view.getUint32(at + 4, true);
    const type = String.fromCharCode(...file.subarray(at, at + 4));
    if (chunks.length === CHUNKS_MAX)
      throw new OperationError('unprocessable', 'The image is a damaged WebP: it has too many chunks.', {
        kind: 'damaged',
      });
    chunks.push({ type, body: file.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

/**
 * Writes a WebP file.
 * @returns the parts of the file in order
 */
export function writeWebp(chunks: readonly WebpChunk[]): Bytes[] {
  const parts = chunks.flatMap(writeWebpChunk);
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return [concat([ascii('RIFF'), u32le(length), ascii('WEBP')]), ...parts];
}

export function writeWebpChunk({ type, body }: WebpChunk): Bytes[] {
  return [ascii(type), u32le(body.length), body, ...(body.length % 2 ? [u8(0)] : [])];
}

/** Writes the header of an extended file: RFC 9649, 2.7. */
export function vp8xChunk(size: { width: number; height: number }, flags: number): WebpChunk {
  return { type: 'VP8X', body: concat([u8(flags, 0, 0, 0), u24le(size.width - 1), u24le(size.height - 1)]) };
}

export function u24le(value: number): Bytes {
  return u8(value, value >>> 8, value >>> 16);
}

function u32le(value: number): Bytes {
  return u8(value, value >>> 8, value >>> 16, value >>> 24);
}

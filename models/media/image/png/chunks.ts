import { ascii, type Bytes, concat, u32 } from '../../bytes/byte-writer.ts';
import { crc32 } from '../../bytes/checksums.ts';

/** PNG, third edition, 5.2. */
export const PNG_SIGNATURE: Bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Limit against crafted files. Common writers divide samples into chunks of 8 kB, which makes 1.6 GB, and some begin one
 * with each row.
 */
const CHUNKS_MAX = 200_000;

/** A chunk: PNG, third edition, 5.3. */
export interface PngChunk {
  readonly type: string;
  readonly body: Bytes;
}

/** Reads the chunks in order, as many as `CHUNKS_MAX`; omits a damaged end and ignores checksums. */
export function readPngChunks(file: Bytes): PngChunk[] {
  return [...iteratePngChunks(file)];
}

/** Yields the chunks as `readPngChunks` returns them, for readers that stop early. */
export function* iteratePngChunks(file: Bytes): Generator<PngChunk> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = PNG_SIGNATURE.length;
  for (let count = 0; count < CHUNKS_MAX && at + 12 <= file.length; count++) {
    const end = at + 8 + view.getUint32(at);
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    if (end > file.length) break;
    yield { type, body: file.subarray(at + 8, end) };
    at = end + 4;
  }
}

export function writePngChunk(type: string, ...parts: Bytes[]): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const named = [ascii(type), ...parts];
  return concat([u32(length), ...named, u32(crc32(...named))]);
}

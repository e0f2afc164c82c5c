import { ascii, type Bytes, concat, u32 } from '../byte-writer.ts';
import { crc32 } from '../checksums.ts';

/** PNG, third edition, 5.2. */
export const PNG_SIGNATURE: Bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A chunk: PNG, third edition, 5.3. */
export interface PngChunk {
  readonly type: string;
  readonly body: Bytes;
}

/** The chunks in order; a damaged end is left out, checksums are not looked at. */
export function readPngChunks(file: Bytes): PngChunk[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks: PngChunk[] = [];
  for (let at = PNG_SIGNATURE.length; at + 12 <= file.length; ) {
    const end = at + 8 + view.getUint32(at);
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    if (end > file.length) break;
    chunks.push({ type, body: file.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

export function writePngChunk(type: string, ...parts: Bytes[]): Bytes {
  const named = concat([ascii(type), ...parts]);
  return concat([u32(named.length - 4), named, u32(crc32(named))]);
}

import { ascii, type Bytes, concat, u32 } from '../../bytes/byte-writer.ts';
import { crc32 } from '../../bytes/checksums.ts';
import { readFourCc } from '../../bytes/text.ts';

/** PNG, third edition, 5.2. */
export const PNG_SIGNATURE: Bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Limit against crafted files. Common writers divide samples into chunks of 8 kB, which makes 1.6 GB, and some begin a
 * chunk with each row.
 */
const CHUNKS_MAX = 200_000;

/** A chunk: PNG, third edition, 5.3. */
export interface PngChunk {
  readonly type: string;
  readonly body: Bytes;
  /** Position of its length, with which it begins. */
  readonly at: number;
  /** Position behind its checksum. */
  readonly end: number;
}

/** Length of the signature and IHDR. */
export const PNG_HEAD_BYTES = 33;

/** Length, name and checksum of a chunk. */
export const CHUNK_FRAME_BYTES = 12;

/** Reads the chunks in order, as many as `CHUNKS_MAX`; omits a damaged end and ignores checksums. */
export function readPngChunks(file: Bytes): PngChunk[] {
  return [...iteratePngChunks(file)];
}

/** Yields the chunks as `readPngChunks` returns them, for readers that stop early. */
export function* iteratePngChunks(file: Bytes): Generator<PngChunk> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = PNG_SIGNATURE.length;
  for (let count = 0; count < CHUNKS_MAX && at + 12 <= file.length; count++) {
    const bodyEnd = at + 8 + view.getUint32(at);
    const end = bodyEnd + 4;
    if (bodyEnd > file.length) break;
    yield { type: readFourCc(view, at + 4), body: file.subarray(at + 8, bodyEnd), at, end };
    at = end;
  }
}

/** Yields the chunks before the samples. */
export function* headChunks(file: Bytes): Generator<PngChunk> {
  for (const chunk of iteratePngChunks(file)) {
    if (chunk.type === 'IDAT') return;
    yield chunk;
  }
}

/**
 * Leaves out chunks before the samples, by their types. The rest of the file stays as it is, even where it is damaged.
 * @returns the parts of the file in order, of which the first holds signature and IHDR
 */
export function withoutChunks(file: Bytes, types: ReadonlySet<string>): Bytes[] {
  const parts: Bytes[] = [];
  let from = 0;
  for (const { type, at, end } of headChunks(file)) {
    if (!types.has(type)) continue;
    parts.push(file.subarray(from, at));
    from = end;
  }
  return [...parts, file.subarray(from)];
}

export function writePngChunk(type: string, ...parts: Bytes[]): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const named = [ascii(type), ...parts];
  return concat([u32(length), ...named, u32(crc32(...named))]);
}

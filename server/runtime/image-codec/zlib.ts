import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createDeflate, inflate } from 'node:zlib';
import type { Bytes } from '../../../models/media/bytes/byte-writer.ts';

/** A fifth of the default level's time, for files of photographs that are a twentieth larger. */
const LEVEL = 4;

/** Compresses bytes into a zlib stream, on another thread. */
export async function* deflate(pieces: Iterable<Bytes> | AsyncIterable<Bytes>): AsyncGenerator<Bytes, void> {
  const source = Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
  const packed = createDeflate({ level: LEVEL });
  source.on('error', (cause) => packed.destroy(cause));
  yield* source.pipe(packed);
}

const unpack = promisify<Bytes, { maxOutputLength: number }, Buffer>(inflate);

/** Decompresses a zlib stream. It rejects a damaged one, and one of more bytes. */
export async function inflateWithin(packed: Bytes, bytesMax: number): Promise<Bytes> {
  return new Uint8Array(await unpack(packed, { maxOutputLength: bytesMax }));
}

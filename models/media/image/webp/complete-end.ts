import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import { readWebpChunks, WEBP_FLAGS, type WebpChunk, writeWebp } from './chunks.ts';

/** Chunks behind the image, which only describe it: RFC 9649, 2.7.1.4 and 2.7.1.5. */
const DESCRIPTIONS: ReadonlySet<string> = new Set(['EXIF', 'XMP ']);
/** Chunks of samples: RFC 9649, 2.7.1.1 to 2.7.1.3. */
const SAMPLES: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ANMF']);
const FLAGS: Readonly<Record<string, number>> = { EXIF: WEBP_FLAGS.exif, 'XMP ': WEBP_FLAGS.xmp };
const HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;

/**
 * Completes a WebP that ends after its samples: within a chunk that only describes the image, or before the padding of
 * its last chunk.
 * @returns null for a file with an end, and for one that lacks samples
 */
export function completeWebp(file: Bytes): Bytes | null {
  if (file.length < HEAD_BYTES) return null;
  const stated = CHUNK_HEAD_BYTES + new DataView(file.buffer, file.byteOffset).getUint32(4, true);
  if (stated <= file.length) return null;
  const chunks = readWebpChunks(file);
  const last = chunks.at(-1);
  const cutBytes = missingBytes(file, chunks);
  const whole = cutBytes > 0 ? chunks.slice(0, -1) : chunks;
  const endsWithin = cutBytes > 0 && last !== undefined && DESCRIPTIONS.has(last.type);
  // Only the padding of one byte is missing, where all chunks are whole.
  const endsBefore = cutBytes === 0 && stated === file.length + 1;
  if (!(endsWithin || endsBefore) || !whole.some(({ type }) => SAMPLES.has(type))) return null;
  const present = new Set(whole.map(({ type }) => type));
  return concat(writeWebp(whole.map((chunk) => withFlagsOf(chunk, present))));
}

/** Returns how many bytes the last chunk lacks. */
function missingBytes(file: Bytes, chunks: readonly WebpChunk[]): number {
  const last = chunks.at(-1);
  if (!last) return 0;
  const headAt = last.body.byteOffset - file.byteOffset - CHUNK_HEAD_BYTES;
  const stated = new DataView(file.buffer, file.byteOffset + headAt).getUint32(4, true);
  return stated - last.body.length;
}

/** Takes flags of chunks that are missing out of the header. */
function withFlagsOf(chunk: WebpChunk, present: ReadonlySet<string>): WebpChunk {
  if (chunk.type !== 'VP8X') return chunk;
  const body = chunk.body.slice();
  for (const [type, flag] of Object.entries(FLAGS)) if (!present.has(type)) body[0] = (body[0] ?? 0) & ~flag;
  return { ...chunk, body };
}

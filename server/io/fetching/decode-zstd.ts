import { setImmediate } from 'node:timers/promises';
import { Decompress } from 'fzstd';
import { FetchFault } from './fetch-fault.ts';

type Bytes = AsyncIterable<Uint8Array>;

const FRAME = 0xfd2fb528;
/** Magic numbers of frames to be skipped differ in their last four bits. */
const SKIPPABLE = 0x184d2a50;
/** Limit of RFC 9659 for HTTP. */
const WINDOW_BYTES_MAX = 8 * 1024 * 1024;
/** Bytes of the dictionary's id, by the header's flag. */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
/** Bytes of the content's size, by the header's flag; a single segment has at least one. */
const SIZE_BYTES = [0, 2, 4, 8] as const;
const CHECKSUM_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
/** Limit of the format. */
const BLOCK_BYTES_MAX = 128 * 1024;
/** Most blocks: so many, and one for each so many bytes of the file. Each costs a move of the window. */
const BLOCKS_MAX = { base: 4096, bytesEach: 4096 };
/** Blocks after which other requests have their turn. */
const BLOCKS_AT_ONCE = 16;

/**
 * Decodes Zstandard (RFC 8878) as a stream, block by block: one piece of a transfer may hold blocks of gigabytes. It
 * reads the headers itself, since `fzstd` accepts windows of 2 GB.
 * @throws FetchFault for a window that HTTP does not allow, a dictionary, or too many small blocks; Error for data that
 *   is no Zstandard
 */
export async function* decodeZstd(coded: Bytes): AsyncGenerator<Uint8Array> {
  let decoded: Uint8Array[] = [];
  let bytes = 0;
  let blocks = 0;
  const decompressor = new Decompress((piece) => {
    decoded.push(piece);
    bytes += piece.length;
  });
  for await (const part of divideFrames(new ByteReader(coded))) {
    decompressor.push(part);
    blocks += 1;
    if (blocks > BLOCKS_MAX.base + bytes / BLOCKS_MAX.bytesEach) {
      throw new FetchFault('the server sends it in too many small blocks of zstd. Serve it uncompressed');
    }
    if (blocks % BLOCKS_AT_ONCE === 0) await setImmediate();
    yield* decoded;
    decoded = [];
  }
  decompressor.push(new Uint8Array(0), true);
  yield* decoded;
}

/** Yields the headers, blocks and checksums of all frames, each as one piece; frames to be skipped are left out. */
async function* divideFrames(reader: ByteReader): AsyncGenerator<Uint8Array> {
  while (!(await reader.isAtEnd())) {
    const magic = await reader.take(4);
    const number = readInteger(magic);
    if (number >>> 4 === SKIPPABLE >>> 4) {
      await reader.skip(readInteger(await reader.take(4)));
      continue;
    }
    if (number !== FRAME) throw new Error('no frame of Zstandard');
    const { header, hasChecksum } = await readFrameHeader(reader);
    yield concatenate([magic, header]);
    for (let isLast = false; !isLast; ) {
      const start = await reader.take(BLOCK_HEADER_BYTES);
      const value = readInteger(start);
      isLast = (value & 1) === 1;
      const isRepeated = ((value >> 1) & 3) === 1;
      if (value >>> 3 > BLOCK_BYTES_MAX) throw new Error('a block is too large');
      yield concatenate([start, await reader.take(isRepeated ? 1 : value >>> 3)]);
    }
    if (hasChecksum) yield await reader.take(CHECKSUM_BYTES);
  }
}

async function readFrameHeader(reader: ByteReader) {
  const descriptor = await reader.take(1);
  const flags = descriptor[0];
  const isSingle = (flags & 0x20) !== 0;
  const window = await reader.take(isSingle ? 0 : 1);
  const dictionary = await reader.take(DICTIONARY_BYTES[(flags & 3) as 0 | 1 | 2 | 3]);
  const sizeBytes = SIZE_BYTES[(flags >> 6) as 0 | 1 | 2 | 3] || (isSingle ? 1 : 0);
  const size = await reader.take(sizeBytes);
  if (readInteger(dictionary) !== 0) throw new FetchFault('the server sends it with a dictionary of zstd');
  // Two bytes state the size less 256.
  const windowBytes = isSingle ? readInteger(size) + (sizeBytes === 2 ? 256 : 0) : windowBytesOf(window[0]);
  if (windowBytes > WINDOW_BYTES_MAX) {
    throw new FetchFault(
      'the server sends it with a window of zstd of more than 8 MB. Serve it uncompressed',
    );
  }
  return { header: concatenate([descriptor, window, dictionary, size]), hasChecksum: (flags & 4) !== 0 };
}

/** Returns the window's size by its exponent and mantissa. */
function windowBytesOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** Reads a little-endian integer; one beyond 2^53 is not exact. */
function readInteger(bytes: Uint8Array): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** Reader of exact numbers of bytes from a stream. */
class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array(0);

  constructor(source: Bytes) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#held.length === 0) {
      const { value, done } = await this.#pieces.next();
      if (done) return true;
      this.#held = value;
    }
    return false;
  }

  /** Returns the next bytes. @throws Error at the end of the stream */
  async take(count: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let missing = count; missing > 0; ) {
      if (await this.isAtEnd()) throw new Error('the stream ends within a frame');
      const part = this.#held.subarray(0, missing);
      this.#held = this.#held.subarray(part.length);
      parts.push(part);
      missing -= part.length;
    }
    return parts.length === 1 ? parts[0] : concatenate(parts);
  }

  async skip(count: number): Promise<void> {
    for (let missing = count; missing > 0; ) {
      if (await this.isAtEnd()) throw new Error('the stream ends within a frame');
      const skipped = Math.min(missing, this.#held.length);
      this.#held = this.#held.subarray(skipped);
      missing -= skipped;
    }
  }
}

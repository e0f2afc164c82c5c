import type { ByteReader } from './byte-reader.ts';

/** Bytes of the first block and of later ones: few first, since most damage is short. */
const BLOCK_BYTES_MIN = 4096;
const BLOCK_BYTES_MAX = 1_048_576;
const BLOCK_GROWTH = 4;

/** Part of a file that is searched. */
interface SearchBlock {
  /** Place of the block. */
  readonly start: number;
  /** Its bytes, and those behind it that the margin adds. */
  readonly bytes: Uint8Array;
  /** Bytes at which what is searched may begin. */
  readonly length: number;
}

/**
 * Yields the blocks of a file from a place to another, to search them for what is behind damage.
 * @param marginBytes bytes behind a block that tell what begins at its end
 */
export async function* searchBlocks(
  reader: ByteReader,
  from: number,
  end: number,
  marginBytes: number,
): AsyncGenerator<SearchBlock> {
  let size = BLOCK_BYTES_MIN;
  for (let start = from; start < end; ) {
    const bytes = await reader.read(start, size + marginBytes);
    yield { start, bytes, length: Math.min(size, end - start, bytes.length) };
    start += size;
    size = Math.min(BLOCK_BYTES_MAX, BLOCK_GROWTH * size);
  }
}

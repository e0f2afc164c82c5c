import type { Bytes } from './byte-writer.ts';

/** Compresses bytes, given in pieces, into one zlib stream, which comes in pieces as well. */
export type Deflate = (pieces: Iterable<Bytes> | AsyncIterable<Bytes>) => AsyncIterable<Bytes>;

/** Unpacks a zlib stream. */
export type Inflate = (packed: Bytes) => Promise<Bytes>;

/** Unpacks a stream of metadata; a damaged one is no reason to lose the image. */
export function inflateOrNothing(packed: Bytes, inflate: Inflate): Promise<Bytes | undefined> {
  return inflate(packed).catch(() => undefined);
}

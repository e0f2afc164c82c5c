import type { Bytes } from './byte-writer.ts';

/** Unpacks a zlib stream. */
export type Inflate = (packed: Bytes) => Promise<Bytes>;

/** Unpacks a stream of metadata; a damaged one is no reason to lose the image. */
export function inflateOrNothing(packed: Bytes, inflate: Inflate): Promise<Bytes | undefined> {
  return inflate(packed).catch(() => undefined);
}

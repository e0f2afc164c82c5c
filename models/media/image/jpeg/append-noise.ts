import { type Bytes, concat } from '../../bytes/byte-writer.ts';

const END_BYTES = 2;
const NOISE_BYTES = 4096;

/**
 * Inserts arbitrary coded bits before the end marker of a JPEG. A decoder that has all samples ignores them; one that
 * lacks some takes them for these, so the image changes. That tells whole scans from truncated ones of every kind.
 * @param file that ends with its end marker
 */
export function appendNoise(file: Bytes): Bytes {
  // No byte is 0xff, which would begin a marker.
  const noise = Uint8Array.from({ length: NOISE_BYTES }, (_, at) => (at * at * 31 + at * 167 + 13) % 251);
  return concat([file.subarray(0, -END_BYTES), noise, file.subarray(-END_BYTES)]);
}

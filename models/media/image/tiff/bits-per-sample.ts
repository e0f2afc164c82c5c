import type { Bytes } from '../../bytes/byte-writer.ts';
import { openTiffStream, readDirectory } from './directory.ts';

const BITS_PER_SAMPLE = 258;

/** Reads the bits of the first sample of the first page: TIFF 6.0, section 8. The standard's default is 1. */
export function bitsPerSample(file: Bytes): number {
  const stream = openTiffStream(file);
  const fields = stream ? readDirectory(stream, stream.firstOffset) : [];
  const [low = 1, high = 0] = fields.find(({ tag }) => tag === BITS_PER_SAMPLE)?.value ?? [];
  return low + 256 * high;
}

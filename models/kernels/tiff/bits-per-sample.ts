import type { Bytes } from '../byte-writer.ts';
import { openTiffStream, readDirectory } from './directory.ts';

const BITS_PER_SAMPLE = 258;

/** Bits of the first sample of the first page: TIFF 6.0, section 8. 1 where the file says nothing, as the standard has it. */
export function bitsPerSample(file: Bytes): number {
  const stream = openTiffStream(file);
  const fields = stream ? readDirectory(stream, stream.firstOffset) : [];
  const [low = 1, high = 0] = fields.find(({ tag }) => tag === BITS_PER_SAMPLE)?.value ?? [];
  return low + 256 * high;
}

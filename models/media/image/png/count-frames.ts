import type { Bytes } from '../../bytes/byte-writer.ts';
import { iteratePngChunks } from './chunks.ts';

/**
 * Counts the frames of a PNG by its `acTL` chunk, which must precede the samples: PNG, third edition, 11.3.6.1. At
 * least 1.
 */
export function countPngFrames(file: Bytes): number {
  for (const { type, body } of iteratePngChunks(file)) {
    if (type === 'IDAT') return 1;
    if (type === 'acTL')
      return body.length >= 4 ? Math.max(1, new DataView(body.buffer, body.byteOffset).getUint32(0)) : 1;
  }
  return 1;
}

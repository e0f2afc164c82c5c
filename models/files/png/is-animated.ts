import type { Bytes } from '../bytes/byte-writer.ts';
import { eachPngChunk } from './chunks.ts';

/**
 * Reports whether a PNG has several frames, by its `acTL` chunk, which must precede the samples: PNG, third edition,
 * 11.3.6.1.
 */
export function isAnimatedPng(file: Bytes): boolean {
  for (const { type, body } of eachPngChunk(file)) {
    if (type === 'IDAT') return false;
    if (type === 'acTL')
      return body.length >= 4 && new DataView(body.buffer, body.byteOffset).getUint32(0) > 1;
  }
  return false;
}

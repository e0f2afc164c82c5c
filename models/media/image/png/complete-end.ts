import { type Bytes, concat, u32 } from '../../bytes/byte-writer.ts';
import { crc32 } from '../../bytes/checksums.ts';
import { PNG_SIGNATURE, writePngChunk } from './chunks.ts';

const CRC_BYTES = 4;

/**
 * Completes a PNG that ends after the samples of its still image: behind them, within their checksum, or within a chunk
 * that follows. Whether samples are missing as well, only decoding shows.
 * @returns null for a file with an end, and for one that ends within a chunk of those samples
 */
export function completePng(file: Bytes): Bytes | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let hasSamples = false;
  let at = PNG_SIGNATURE.length;
  while (at + 8 <= file.length) {
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const bodyEnd = at + 8 + view.getUint32(at);
    if (type === 'IEND' && bodyEnd + CRC_BYTES <= file.length) return null;
    if (bodyEnd > file.length) {
      if (type === 'IDAT' || !hasSamples) return null;
      // Samples of a later frame stay, cut as they are, so that its decoder fails.
      const rest = type === 'fdAT' ? writePngChunk(type, file.subarray(at + 8)) : new Uint8Array();
      return closed(concat([file.subarray(0, at), rest]));
    }
    hasSamples ||= type === 'IDAT';
    if (bodyEnd + CRC_BYTES > file.length) {
      return hasSamples ? closed(withChecksum(file, at, bodyEnd)) : null;
    }
    at = bodyEnd + CRC_BYTES;
  }
  return hasSamples ? closed(file.subarray(0, at)) : null;
}

function withChecksum(file: Bytes, start: number, bodyEnd: number): Bytes {
  return concat([file.subarray(0, bodyEnd), u32(crc32(file.subarray(start + 4, bodyEnd)))]);
}

function closed(file: Bytes): Bytes {
  return concat([file, writePngChunk('IEND')]);
}

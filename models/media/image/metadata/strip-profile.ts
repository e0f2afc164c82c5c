import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import { readJpegSegments } from '../jpeg/segments.ts';
import { readWebpChunks, WEBP_FLAGS, writeWebp } from '../webp/chunks.ts';

const APP2 = 0xe2;

/** Removes the profile that an encoder added to a JPEG by itself. */
export function stripJpegProfile(file: Bytes): Bytes {
  const parts: Bytes[] = [];
  let kept = 0;
  for (const { marker, start, end } of readJpegSegments(file)) {
    if (marker !== APP2) continue;
    parts.push(file.subarray(kept, start));
    kept = end;
  }
  return kept ? concat([...parts, file.subarray(kept)]) : file;
}

/** Removes the profile that an encoder added to a WebP by itself, and a header that is no longer needed. */
export function stripWebpProfile(file: Bytes): Bytes {
  const chunks = readWebpChunks(file).filter(({ type }) => type !== 'ICCP');
  const plain = chunks.flatMap((chunk) => {
    if (chunk.type !== 'VP8X') return [chunk];
    const body = chunk.body.slice();
    body[0] = (body[0] ?? 0) & ~WEBP_FLAGS.icc;
    return body[0] ? [{ type: 'VP8X', body }] : [];
  });
  return concat(writeWebp(plain));
}

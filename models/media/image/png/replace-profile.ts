import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import { iteratePngChunks, PNG_SIGNATURE } from './chunks.ts';
import { writePngMetadata } from './write-metadata.ts';

const COLOUR_CHUNKS: ReadonlySet<string> = new Set(['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM']);
/** Length, name and checksum. */
const FRAME_BYTES = 12;

/**
 * Replaces all that a PNG says about its colours by a profile, or by nothing. The rest of the file stays as it is,
 * even where it is damaged.
 */
export function replacePngProfile(file: Bytes, icc: Bytes | undefined): Bytes {
  const parts: Bytes[] = [];
  let [at, kept] = [PNG_SIGNATURE.length, 0];
  for (const { type, body } of iteratePngChunks(file)) {
    if (type === 'IDAT') break;
    const end = at + FRAME_BYTES + body.length;
    if (COLOUR_CHUNKS.has(type)) {
      parts.push(file.subarray(kept, at));
      kept = end;
    }
    at = end;
  }
  const plain = concat([...parts, file.subarray(kept)]);
  return icc ? concat(writePngMetadata(plain, { icc })) : plain;
}

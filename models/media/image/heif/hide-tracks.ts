import { ascii, type Bytes } from '../../bytes/byte-writer.ts';
import { findBox, readBoxes } from './read-boxes.ts';

/** Box that readers skip: ISO 14496-12, 8.1.2. */
const FREE = ascii('free');
/** The type of a box stands before its body. */
const TYPE_BYTES = 4;

/**
 * Lets a reader see a file without its tracks, so that one of a kind unknown to the reader does not keep it from the
 * still image. A file that has tracks only stays as it is.
 * @param file changed for the time of reading
 */
export function withoutTracks<Result>(file: Bytes, read: () => Result): Result {
  const boxes = topBoxes(file);
  const moov = findBox(boxes, 'moov');
  const typeAt = moov && findBox(boxes, 'meta') && moov.start - TYPE_BYTES;
  // A long size stands between the type and the body.
  if (typeAt === undefined || String.fromCharCode(...file.subarray(typeAt, typeAt + TYPE_BYTES)) !== 'moov')
    return read();
  file.set(FREE, typeAt);
  try {
    return read();
  } finally {
    file.set(ascii('moov'), typeAt);
  }
}

/** Reads the boxes of a file; none where they are inconsistent, which its decoder judges. */
function topBoxes(file: Bytes): ReturnType<typeof readBoxes> {
  try {
    return readBoxes(new DataView(file.buffer, file.byteOffset, file.byteLength), 0, file.length);
  } catch {
    return [];
  }
}

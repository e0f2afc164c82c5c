import type { Bytes } from '../bytes/byte-writer.ts';
import { isStartOfFrame } from './read-size.ts';
import { readJpegSegments } from './segments.ts';

const COMPONENTS_OFFSET = 5;

/** Reports whether a JPEG has four components, which are inks: ITU-T T.81, B.2.2. */
export function isCmykJpeg(file: Bytes): boolean {
  const frame = readJpegSegments(file).find(({ marker }) => isStartOfFrame(marker));
  return frame?.body[COMPONENTS_OFFSET] === 4;
}

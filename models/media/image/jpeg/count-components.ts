import type { Bytes } from '../../bytes/byte-writer.ts';
import { isStartOfFrame } from './read-size.ts';
import { readJpegSegments } from './segments.ts';

const COMPONENTS_OFFSET = 5;

/** Counts the components of a JPEG: 1 for grey, 3 for colours, 4 for inks; 0 without a frame. ITU-T T.81, B.2.2. */
function countComponents(file: Bytes): number {
  const frame = readJpegSegments(file).find(({ marker }) => isStartOfFrame(marker));
  return frame?.body[COMPONENTS_OFFSET] ?? 0;
}

/** Reports whether a JPEG has four components, which are inks. */
export function isCmykJpeg(file: Bytes): boolean {
  return countComponents(file) === 4;
}

/** Reports whether a JPEG has one component. */
export function isGreyJpeg(file: Bytes): boolean {
  return countComponents(file) === 1;
}

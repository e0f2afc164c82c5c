import type { Bytes } from '../../bytes/byte-writer.ts';

/** A marker segment: ITU-T T.81, B.1.1.4. */
export interface JpegSegment {
  readonly marker: number;
  /** Position of the marker in the file. */
  readonly start: number;
  /** Position after the segment. */
  readonly end: number;
  readonly body: Bytes;
}

const START_OF_SCAN = 0xda;
const FILL = 0xff;

/** Returns the segments before the first scan. */
export function readJpegSegments(file: Bytes): JpegSegment[] {
  const segments: JpegSegment[] = [];
  for (let start = 2; start + 4 <= file.length && file[start] === 0xff; ) {
    const marker = file[start + 1] ?? 0;
    if (marker === START_OF_SCAN) break;
    if (marker === FILL) {
      start += 1;
      continue;
    }
    const length = Math.max(2, ((file[start + 2] ?? 0) << 8) | (file[start + 3] ?? 0));
    const end = start + 2 + length;
    segments.push({ marker, start, end, body: file.subarray(start + 4, end) });
    start = end;
  }
  return segments;
}

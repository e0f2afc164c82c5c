import type { Bytes } from '../../bytes/byte-writer.ts';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/**
 * Reports whether a JPEG ends within the coded samples of a scan, without its end marker (ITU-T T.81, B.1.1). Whether
 * samples are missing as well, only decoding shows.
 */
export function lacksJpegEnd(file: Bytes): boolean {
  let at = 2;
  let isInScan = false;
  for (;;) {
    const marker = isInScan ? nextMarker(file, at) : at;
    if (marker + 1 >= file.length || file[marker] !== 0xff) return isInScan;
    const kind: number = file[marker + 1];
    if (kind === END_OF_IMAGE) return false;
    if (kind === 0xff) {
      at = marker + 1;
      continue;
    }
    const end = marker + 2 + (((file[marker + 2] ?? 0) << 8) | (file[marker + 3] ?? 0));
    if (end < marker + 4 || end > file.length) return false;
    isInScan = kind === START_OF_SCAN;
    at = end;
  }
}

/** Finds the next marker in coded samples: not a stuffed zero, and no restart (B.1.1.5). */
function nextMarker(file: Bytes, from: number): number {
  let at = file.indexOf(0xff, from);
  while (at >= 0 && at + 1 < file.length) {
    const kind = file[at + 1];
    if (kind !== 0 && kind !== 0xff && (kind < 0xd0 || kind > 0xd7)) return at;
    at = file.indexOf(0xff, kind === 0xff ? at + 1 : at + 2);
  }
  return file.length;
}

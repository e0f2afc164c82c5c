import { isoEnd } from '../bytes/iso-boxes.ts';
import { getFormat, getImageFormat, SIGNATURE_BYTES } from '../image/find-format.ts';
import { type MissingEnd, shorterThan } from '../image/image-format.ts';
import { HEAD_BYTES, parseElementHead, SEGMENT } from './element-head.ts';
import { getVideoContainer } from './video-header.ts';

/** Elements before the segment of a Matroska file: one, and some that are void. */
const ELEMENTS_MAX = 100;

/**
 * Looks for the end of a damaged file, by the length or the last marker that its format has.
 * @returns null where the end is there, and for formats that have neither
 */
export async function findMissingEnd(file: Blob): Promise<MissingEnd | null> {
  const head = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const format = getImageFormat(head);
  if (format) return (await (await getFormat(format).load()).findMissingEnd?.(file)) ?? null;
  const container = getVideoContainer(head);
  if (container === 'webm' || container === 'mkv') return shorterThan(file, await segmentEnd(file));
  return container ? shorterThan(file, await isoEnd(file).catch(() => 0)) : null;
}

/** Returns where the segment of a Matroska file ends by its own size (RFC 9559, 4.5); 0 where it states none. */
async function segmentEnd(file: Blob): Promise<number> {
  let at = 0;
  for (let elements = 0; elements < ELEMENTS_MAX; elements++) {
    const head = parseElementHead(new Uint8Array(await file.slice(at, at + HEAD_BYTES).arrayBuffer()));
    if (!head || head.size === null) return 0;
    at += head.bytes + head.size;
    if (head.id === SEGMENT) return at;
  }
  return 0;
}

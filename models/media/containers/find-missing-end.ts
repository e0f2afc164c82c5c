import { ByteWindow } from '../bytes/byte-window.ts';
import { HEAD_BYTES, parseElementHead, SEGMENT } from './element-head.ts';
import { videoContainerOf } from './video-header.ts';
import { imageFormatOf } from '../image/headers/image-header.ts';

const SIGNATURE_BYTES = 64;
/** Length of the end in which the last marker of an image is looked for: programs may add some bytes behind it. */
const TAIL_BYTES = 1024;
const READS_MAX = 4096;
/** Elements before the segment of a Matroska file: one, and some that are void. */
const ELEMENTS_MAX = 100;

/** File whose end is missing: cut off during a download or a copy. */
export interface MissingEnd {
  /** Share of the file that is there, 0 to 1; null where its structure does not state its length. */
  readonly presentShare: number | null;
}

/**
 * Looks for the end of a damaged file, by the length or the last marker that its format has.
 * @returns null where the end is there, and for formats that have neither
 */
export async function findMissingEnd(file: Blob): Promise<MissingEnd | null> {
  const head = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const format = imageFormatOf(head);
  if (format === 'jpeg') return await withoutMarker(file, '\xff\xd9');
  if (format === 'png') return await withoutMarker(file, 'IEND');
  if (format === 'webp') return shorterThan(file, new DataView(head.buffer).getUint32(4, true) + 8);
  const container = videoContainerOf(head);
  if (container === 'webm' || container === 'mkv') return shorterThan(file, await segmentEnd(file));
  const isIso = format === 'avif' || format === 'heic' || container === 'mp4' || container === 'mov';
  return isIso ? shorterThan(file, await isoBytes(file).catch(() => 0)) : null;
}

async function withoutMarker(file: Blob, marker: string): Promise<MissingEnd | null> {
  const tail = new Uint8Array(await file.slice(Math.max(0, file.size - TAIL_BYTES)).arrayBuffer());
  return String.fromCharCode(...tail).includes(marker) ? null : { presentShare: null };
}

function shorterThan({ size }: Blob, bytes: number): MissingEnd | null {
  return size < bytes ? { presentShare: size / bytes } : null;
}

/** Returns where the last box ends by its own size: ISO 14496-12, 4.2. */
async function isoBytes(file: Blob): Promise<number> {
  const bytes = new ByteWindow(file, { noun: 'video', readsMax: READS_MAX });
  let at = 0;
  while (at + 8 <= file.size) {
    const header = await bytes.read(at, 8);
    const short = header.getUint32(0);
    // 0 reaches to the end of the file, wherever that is.
    if (short === 0) return file.size;
    const size = short === 1 ? Number((await bytes.read(at + 8, 8)).getBigUint64(0)) : short;
    if (size < 8) return file.size;
    at += size;
  }
  return at;
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

import { ByteWindow } from '../../bytes/byte-window.ts';
import type { MissingEnd } from './image-format.ts';

/** Length of the end in which the last marker of an image is looked for: programs may add some bytes behind it. */
const TAIL_BYTES = 1024;
const READS_MAX = 4096;

/** Reports a file without its last marker as one whose end is missing. */
export async function withoutMarker(file: Blob, marker: string): Promise<MissingEnd | null> {
  const tail = new Uint8Array(await file.slice(Math.max(0, file.size - TAIL_BYTES)).arrayBuffer());
  return String.fromCharCode(...tail).includes(marker) ? null : { presentShare: null };
}

/** Reports a file that is shorter than it states as one whose end is missing. */
export function shorterThan({ size }: Blob, bytes: number): MissingEnd | null {
  return size < bytes ? { presentShare: size / bytes } : null;
}

/** Returns where the last box of an ISO file ends by its own size, in bytes: ISO 14496-12, 4.2. */
export async function isoEnd(file: Blob): Promise<number> {
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

import { ByteWindow } from './byte-window.ts';
import { readFourCc } from './text.ts';

const READS_MAX = 4096;

/** Head of a box: ISO 14496-12, 4.2. */
interface BoxHead {
  readonly type: string;
  readonly headBytes: number;
  /** Stated length of the box; null for one that reaches to the end of the file. */
  readonly size: number | null;
}

export async function readBoxHead(bytes: ByteWindow, at: number): Promise<BoxHead> {
  const head = await bytes.read(at, 8);
  const [short, type] = [head.getUint32(0), readFourCc(head, 4)];
  if (short !== 1) return { type, headBytes: 8, size: short || null };
  return { type, headBytes: 16, size: Number((await bytes.read(at + 8, 8)).getBigUint64(0)) };
}

/** Returns where the last box of an ISO file ends by its own size, in bytes: ISO 14496-12, 4.2. */
export async function isoEnd(file: Blob): Promise<number> {
  const bytes = new ByteWindow(file, { noun: 'video', readsMax: READS_MAX });
  let at = 0;
  while (at + 8 <= file.size) {
    const { size } = await readBoxHead(bytes, at);
    if (size === null || size < 8) return file.size;
    at += size;
  }
  return at;
}

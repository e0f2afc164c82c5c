/** Boxes at the top of a file: ISO 14496-12 and the segments of DASH. */
const TOP_TYPES = /^(ftyp|styp|moov|moof|mdat|mfra|sidx|ssix|prft|emsg|free|skip|wide|uuid|meta|pdin|udta)$/;
const HEAD_BYTES = 16;
const BOX_BYTES_MIN = 8;
/** Bytes that are searched at once. */
const BLOCK_BYTES = 1_048_576;
/** Damaged stretches after which the rest stays as it is. */
const GAPS_MAX = 1000;
/** Boxes that are looked at: more than four hours have in fragments of half a second. */
const BOXES_MAX = 100_000;

/**
 * Replaces damaged boxes between the fragments of an MP4 file by free space of the same length, so that readers find
 * the fragments behind them. A file without fragments has one index of all its samples, which needs no mending.
 * @returns the same file where nothing is damaged
 */
export async function repairFragments(file: Blob, signal?: AbortSignal): Promise<Blob> {
  const parts: Blob[] = [];
  let [kept, at, hasFragments] = [0, 0, false];
  for (let boxes = 0; boxes < BOXES_MAX && parts.length < 2 * GAPS_MAX; boxes++) {
    signal?.throwIfAborted();
    if (at + BOX_BYTES_MIN > file.size) break;
    const box = await readTopBox(file, at);
    if (box) {
      hasFragments ||= box.type === 'moof';
      at = box.end;
      continue;
    }
    if (!hasFragments) return file;
    const next = await nextFragment(file, at + BOX_BYTES_MIN);
    const head = freeSpaceHead(next - at);
    parts.push(file.slice(kept, at), new Blob([head]));
    kept = at + head.length;
    at = next;
  }
  return parts.length === 0 ? file : new Blob([...parts, file.slice(kept)]);
}

/** Makes the head of free space of a length, its head included: from 4 GiB on a length takes 8 bytes. */
export function freeSpaceHead(length: number): Uint8Array<ArrayBuffer> {
  const isLong = length >= 2 ** 32;
  const head = new Uint8Array(isLong ? HEAD_BYTES : BOX_BYTES_MIN);
  const view = new DataView(head.buffer);
  view.setUint32(0, isLong ? 1 : length);
  head.set(new TextEncoder().encode('free'), 4);
  if (isLong) view.setBigUint64(BOX_BYTES_MIN, BigInt(length));
  return head;
}

async function bytesAt(file: Blob, at: number, length: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(at, at + length).arrayBuffer());
}

async function readTopBox(file: Blob, at: number): Promise<{ type: string; end: number } | null> {
  const head = await bytesAt(file, at, HEAD_BYTES);
  const type = String.fromCharCode(...head.subarray(4, 8));
  if (!TOP_TYPES.test(type)) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const short = view.getUint32(0);
  const size =
    short === 1 && head.length === HEAD_BYTES ? Number(view.getBigUint64(8)) : short || file.size - at;
  return size < BOX_BYTES_MIN ? null : { type, end: at + size };
}

/** Finds the next `moof` box, which begins with an `mfhd`; the end of the file when there is none. */
async function nextFragment(file: Blob, from: number): Promise<number> {
  for (let start = from; start + HEAD_BYTES < file.size; start += BLOCK_BYTES) {
    const block = await bytesAt(file, start, BLOCK_BYTES + HEAD_BYTES);
    const at = fragmentIn(block);
    if (at !== null) return start + at;
  }
  return file.size;
}

/** Returns the offset of the first fragment in a block, or null. */
function fragmentIn(block: Uint8Array): number | null {
  const textAt = (at: number) => String.fromCharCode(...block.subarray(at, at + 4));
  for (let at = block.indexOf(0x6d, 4); at >= 0; at = block.indexOf(0x6d, at + 1)) {
    if (block[at + 3] === 0x66 && textAt(at) === 'moof' && textAt(at + 8) === 'mfhd') return at - 4;
  }
  return null;
}

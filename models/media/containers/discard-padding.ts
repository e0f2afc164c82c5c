import { CLUSTER, HEAD_BYTES, parseElementHead } from './element-head.ts';

const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const DISCARD_PADDING = 0x75a2;
/** Bytes at the end of a file in which its last cluster begins. */
const TAIL_BYTES = 8_388_608;
/** Blocks that are looked at: a crafted file has what looks like a cluster everywhere. */
const BLOCKS_MAX = 100_000;

interface Child {
  readonly id: number;
  readonly body: Uint8Array;
}

/**
 * Reads the length at the end of a Matroska track that is not played: `DiscardPadding` of its last block (RFC 9559,
 * 5.1.3.5.7), in seconds.
 */
export async function readDiscardPadding(file: Blob, trackNumber: number): Promise<number> {
  const tail = new Uint8Array(await file.slice(Math.max(0, file.size - TAIL_BYTES)).arrayBuffer());
  const budget = { left: BLOCKS_MAX };
  for (
    let at = tail.lastIndexOf(0x1f);
    at >= 0 && budget.left > 0;
    at = at > 0 ? tail.lastIndexOf(0x1f, at - 1) : -1
  ) {
    const head = parseElementHead(tail.subarray(at, at + HEAD_BYTES));
    if (head?.id !== CLUSTER) continue;
    const start = at + head.bytes;
    const last = findLastBlock(tail.subarray(start, start + (head.size ?? tail.length)), trackNumber, budget);
    if (last) return Math.max(0, readPadding(last));
  }
  return 0;
}

function findLastBlock(cluster: Uint8Array, trackNumber: number, budget: { left: number }): Child | null {
  let last: Child | null = null;
  for (const child of children(cluster)) {
    const blocks = child.id === BLOCK_GROUP ? children(child.body) : [child];
    if (--budget.left < 0) return null;
    const isOwn = [...blocks].some(
      ({ id, body }) => (id === SIMPLE_BLOCK || id === BLOCK) && body[0] === (0x80 | trackNumber),
    );
    if (isOwn) last = child;
  }
  return last;
}

function readPadding({ id, body }: Child): number {
  const padding = id === BLOCK_GROUP ? [...children(body)].find((each) => each.id === DISCARD_PADDING) : null;
  if (!padding || padding.body.length > 8) return 0;
  // A signed number of nanoseconds.
  const value = padding.body.reduce((sum, byte) => sum * 256 + byte, 0);
  const isNegative = ((padding.body[0] ?? 0) & 0x80) !== 0;
  return (isNegative ? value - 256 ** padding.body.length : value) / 1e9;
}

function* children(bytes: Uint8Array): Generator<Child> {
  for (let at = 0; at < bytes.length; ) {
    const head = parseElementHead(bytes.subarray(at, at + HEAD_BYTES));
    if (!head || head.size === null) return;
    const body = at + head.bytes;
    yield { id: head.id, body: bytes.subarray(body, body + head.size) };
    at = body + head.size;
  }
}

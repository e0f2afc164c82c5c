/** Ids of elements of RFC 9559 (Matroska), with their length markers. */
export const SEGMENT = 0x18538067;
export const CLUSTER = 0x1f43b675;

/** Longest head of an element: an id of 4 bytes and a size of 8. */
export const HEAD_BYTES = 12;

/** Head of an element: RFC 8794 (EBML), 4 to 6. */
export interface ElementHead {
  readonly id: number;
  /** Offset of its size from its start. */
  readonly sizeAt: number;
  /** Length of the head, behind which the body begins. */
  readonly bytes: number;
  /** Size of the body; null where it is unknown, as in live recordings. */
  readonly size: number | null;
}

/**
 * Parses the head of an element.
 * @param head its first bytes, `HEAD_BYTES` or what is left of the file
 * @returns null where there is none, or not all of it
 */
export function parseElementHead(head: Uint8Array): ElementHead | null {
  const sizeAt = Math.clz32(head[0] ?? 0) - 23;
  const sizeBytes = Math.clz32(head[sizeAt] ?? 0) - 23;
  const bytes = sizeAt + sizeBytes;
  if (sizeAt > 4 || sizeBytes > 8 || head.length < bytes) return null;
  const id = getNumber(head.subarray(0, sizeAt), 0);
  const marked = head[sizeAt] & (0xff >> sizeBytes);
  const size = getNumber(head.subarray(sizeAt + 1, bytes), marked);
  return { id, sizeAt, bytes, size: size >= 2 ** (7 * sizeBytes) - 1 ? null : size };
}

/**
 * Parses the head of a block: its track number, and its start from that of its cluster (RFC 9559, 10.1).
 * @returns null where not all of it is there
 */
export function parseBlockHead(head: Uint8Array): { track: number; tick: number } | null {
  const [first = 0] = head;
  const numberBytes = Math.clz32(first) - 23;
  if (numberBytes > 8 || head.length < numberBytes + 2) return null;
  const track = getNumber(head.subarray(1, numberBytes), first & (0xff >> numberBytes));
  const tick = (((head[numberBytes] ?? 0) << 24) >> 16) | (head[numberBytes + 1] ?? 0);
  return { track, tick };
}

function getNumber(bytes: Uint8Array, first: number): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, first);
}

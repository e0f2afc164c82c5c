const HEAD_BYTES = 27;
const CHECKSUM_AT = 22;
/** Longest page: 27 bytes, 255 lengths and 255 segments of 255 bytes. */
export const OGG_PAGE_BYTES_MAX = 65_307;

/** Page of an Ogg file whose checksum is right: RFC 3533, 6. */
export interface OggPage {
  readonly bytes: number;
  /** Whether a logical stream begins. */
  readonly isFirst: boolean;
  /** Whether the page only holds headers: no sample ends in it or before it. */
  readonly isHeader: boolean;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

/** Bytes whose checksums may still be wrong: of headers that stand in each other's pages, each takes 64 KB. */
export interface ChecksumBudget {
  bytesLeft: number;
}

/** Makes the budget for a search of pages: in a damaged file each byte belongs to one page. */
export function createChecksumBudget(searchedBytes: number): ChecksumBudget {
  return { bytesLeft: searchedBytes + OGG_PAGE_BYTES_MAX };
}

/**
 * Reads the page at a place; null where there is none, its bytes are damaged, or the budget is used up.
 * @param budget of the search, which is charged for damage; none for a single page
 */
export function readOggPage(bytes: Uint8Array, at: number, budget?: ChecksumBudget): OggPage | null {
  if (bytes[at] !== 0x4f || bytes[at + 1] !== 0x67 || bytes[at + 2] !== 0x67 || bytes[at + 3] !== 0x53)
    return null;
  const count = bytes[at + HEAD_BYTES - 1];
  const table = at + HEAD_BYTES;
  if (count === undefined || table + count > bytes.length) return null;
  let end = table + count;
  for (let segment = 0; segment < count; segment++) end += bytes[table + segment];
  if (end > bytes.length || (budget && budget.bytesLeft <= 0)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, HEAD_BYTES);
  if (checksum(bytes, at, end) !== view.getUint32(CHECKSUM_AT, true)) {
    if (budget) budget.bytesLeft -= end - at;
    return null;
  }
  const granule = view.getBigInt64(6, true);
  return {
    bytes: end - at,
    isFirst: (view.getUint8(5) & 2) !== 0,
    isHeader: granule === 0n || granule === -1n,
  };
}

/** Computes the checksum of a page, whose own field counts as 0. */
function checksum(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) {
    const isField = at >= start + CHECKSUM_AT && at < start + CHECKSUM_AT + 4;
    const byte = isField ? 0 : bytes[at];
    crc = (crc << 8) ^ TABLE[(crc >>> 24) ^ byte];
  }
  return crc >>> 0;
}

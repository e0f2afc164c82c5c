/** Longest page of Ogg: 27 bytes, 255 lengths and 255 segments of 255 bytes (RFC 3533, 6). */
const PAGE_BYTES_MAX = 65_307;
const HEAD_BYTES = 27;
const CAPTURE = 'OggS';

/** Leaves out the last page of an Ogg file that was cut off within it: readers fail on a part of a page. */
export async function dropPartialPage(file: Blob): Promise<Blob> {
  const start = Math.max(0, file.size - PAGE_BYTES_MAX);
  const tail = new Uint8Array(await file.slice(start).arrayBuffer());
  const text = new TextDecoder('latin1').decode(tail);
  // Samples may contain the pattern, too: a page that begins there would have to end with the file.
  const last = text.lastIndexOf(CAPTURE);
  if (last < 0 || start + last === 0 || endOfPage(tail, last) <= tail.length) return file;
  return file.slice(0, start + last);
}

/** Returns the end of a page by its table of lengths; infinity where the table itself is cut off. */
function endOfPage(bytes: Uint8Array, page: number): number {
  const count = bytes[page + HEAD_BYTES - 1];
  const table = page + HEAD_BYTES;
  if (count === undefined || table + count > bytes.length) return Number.POSITIVE_INFINITY;
  return table + count + bytes.subarray(table, table + count).reduce((sum, length) => sum + length, 0);
}

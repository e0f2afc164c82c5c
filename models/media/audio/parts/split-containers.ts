import { parseElementHead, SEGMENT } from '../../containers/element-head.ts';
import { PARTS_MAX, type SplitAudio, splitAt } from './audio-part.ts';

const HEAD_BYTES = 16;
/** Boxes at the top of a file that are looked at: it has three or four, or two for each fragment. */
const BOXES_MAX = 10_000;
/** Distance of heads up to which they are close to each other, and the length that is then read at once. */
const NEAR_BYTES = 32_768;
const WINDOW_BYTES = 262_144;
const EBML = [0x1a, 0x45, 0xdf, 0xa3] as const;
const EBML_ID = 0x1a45dfa3;

/** Splits MP4 and MOV files that were joined: each begins with `ftyp` (ISO 14496-12, 4.3). */
export async function splitIso(file: Blob): Promise<SplitAudio> {
  const starts = [0];
  let at = 0;
  for (let boxes = 0; at < file.size && boxes < BOXES_MAX; boxes++) {
    const head = await readHead(file, at);
    if (head.byteLength < HEAD_BYTES) break;
    const type = String.fromCharCode(...new Uint8Array(head.buffer, 4, 4));
    if (type === 'ftyp' && at > 0) starts.push(at);
    const short = head.getUint32(0);
    const size = short === 1 ? Number(head.getBigUint64(8)) : short;
    if (size < 8) break;
    at += size;
  }
  return splitAt(file, starts);
}

/** Splits WebM and Matroska files that were joined: each is an EBML header and a segment (RFC 9559, 4.5). */
export async function splitMatroska(file: Blob): Promise<SplitAudio> {
  const starts = [0];
  for (let at = 0; starts.length <= PARTS_MAX; ) {
    const segment = await endOfElement(file, at);
    const end = segment === null ? null : await endOfSegment(file, segment);
    if (end === null || end >= file.size) break;
    const head = new Uint8Array((await readHead(file, end)).buffer);
    if (!EBML.every((byte, index) => head[index] === byte)) break;
    starts.push(end);
    at = end;
  }
  return splitAt(file, starts);
}

/** Returns the end of a segment: before the next header where its size is unknown, as in live recordings. */
async function endOfSegment(file: Blob, segment: number): Promise<number | null> {
  const end = await endOfElement(file, segment);
  const head = parseElementHead(new Uint8Array((await readHead(file, segment)).buffer));
  if (end !== null || head?.id !== SEGMENT) return end;
  const heads = new HeadReader(file);
  let at = segment + head.bytes;
  for (let elements = 0; at < file.size && elements < BOXES_MAX; elements++) {
    const child = parseElementHead(await heads.read(at));
    if (!child) return null;
    if (child.id === EBML_ID) return at;
    // The blocks of a cluster of unknown size follow its head.
    at += child.bytes + (child.size ?? 0);
  }
  return null;
}

/**
 * Reader of heads from front to back. Those of a live recording's blocks are close to each other, and each read of a
 * browser takes long: many are read at once. Between those that are far apart nothing is read.
 */
class HeadReader {
  readonly #file: Blob;
  #start = 0;
  #bytes = new Uint8Array(0);
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(file: Blob) {
    this.#file = file;
  }

  async read(at: number): Promise<Uint8Array> {
    if (at + HEAD_BYTES > this.#start + this.#bytes.length) {
      const length = at - this.#lastAt < NEAR_BYTES ? WINDOW_BYTES : HEAD_BYTES;
      this.#bytes = new Uint8Array(await this.#file.slice(at, at + length).arrayBuffer());
      this.#start = at;
    }
    this.#lastAt = at;
    return this.#bytes.subarray(at - this.#start, at - this.#start + HEAD_BYTES);
  }
}

/** Returns the end of an element, or null where its size is unknown. */
async function endOfElement(file: Blob, at: number): Promise<number | null> {
  const head = parseElementHead(new Uint8Array((await readHead(file, at)).buffer));
  return head === null || head.size === null ? null : at + head.bytes + head.size;
}

async function readHead(file: Blob, at: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await file.slice(at, at + HEAD_BYTES).arrayBuffer());
}

/** Returns the first of MP4, MOV, WebM or Matroska files that were joined, or the whole file. */
export async function firstOfJoined(file: Blob): Promise<Blob> {
  const head = new Uint8Array((await readHead(file, 0)).buffer);
  const isMatroska = EBML.every((byte, index) => head[index] === byte);
  const [first] = (await (isMatroska ? splitMatroska(file) : splitIso(file))).parts;
  return first?.file ?? file;
}

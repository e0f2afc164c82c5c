import {
  CLUSTER,
  type ElementHead,
  HEAD_BYTES,
  parseElementHead,
  SEGMENT,
} from '../../containers/element-head.ts';
import { ByteReader } from './byte-reader.ts';
import { searchBlocks } from './search-blocks.ts';

/** Elements that are looked at: more than the clusters of a day, or the blocks of one. */
const ELEMENTS_MAX = 20_000;

interface OpenElement {
  readonly id: number;
  /** Place of its size, whose bytes end where its body begins. */
  readonly sizeAt: number;
  readonly body: number;
  readonly end: number;
}

/** Elements of a segment: seek head, info, tracks, cluster, cues, chapters, tags, attachments, void and checksum. */
const OF_SEGMENT = new Set([
  0x114d9b74,
  0x1549a966,
  0x1654ae6b,
  CLUSTER,
  0x1c53bb6b,
  0x1043a770,
  0x1254c367,
  0x1941a469,
  0xec,
  0xbf,
]);

/** Elements of a cluster: timestamp, blocks, block groups, sizes, silent and encrypted ones, void and checksum. */
const OF_CLUSTER = new Set([0xe7, 0xa3, 0xa0, 0xa7, 0xab, 0x5854, 0xaf, 0xec, 0xbf]);
/** Elements in a row that tell a cluster from bytes that look like its elements. */
const CONFIRMING_ELEMENTS = 4;
/** Head of the shortest element that can fill a gap, with a size of one byte. */
const VOID_BYTES_MIN = 2;
/** Damaged stretches after which the rest stays as it is. */
const GAPS_MAX = 1000;

/**
 * Places that are looked at more closely since an element may begin there: more than in 60 MB of random bytes. A
 * crafted file has one at every eighth byte, and each costs reads at several places.
 */
const CANDIDATES_MAX = 20_000;

interface Element {
  readonly id: number;
  readonly body: number;
  /** End, which is that of the parent where the size is unknown. */
  readonly end: number;
  readonly isOpen: boolean;
}

interface Gap {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces the damaged stretches of a WebM or Matroska file by void elements of the same length, so that readers find
 * the blocks behind them, and all places that its index names stay right.
 * @returns the same file where nothing is damaged, or its start cannot be read
 */
export async function repairMatroska(file: Blob, signal?: AbortSignal): Promise<Blob> {
  const gaps = await new GapFinder(file, signal).find();
  if (gaps.length === 0) return file;
  const parts: Blob[] = [];
  let at = 0;
  for (const { start, end } of gaps) {
    const head = voidHead(end - start);
    parts.push(file.slice(at, start), new Blob([head]));
    at = start + head.length;
  }
  return new Blob([...parts, file.slice(at)]);
}

/** Makes the head of a void element of a length, its head included. */
function voidHead(length: number): Uint8Array<ArrayBuffer> {
  if (length < HEAD_BYTES) return Uint8Array.of(0xec, 0x80 | (length - VOID_BYTES_MIN));
  const head = new Uint8Array(9);
  new DataView(head.buffer).setBigUint64(1, (1n << 56n) | BigInt(length - head.length));
  head[0] = 0xec;
  return head;
}

/** Ids of the elements that a block group begins with: its block, duration, references, or additions. */
const OF_GROUP = [0xa1, 0x9b, 0xfb, 0x75, 0xa2];

/** Reports whether a simple block, or a group of one, may begin at a place: most other bytes are told at once. */
function mayBeBlock(bytes: Uint8Array, at: number): boolean {
  const id = bytes[at];
  if (id !== 0xa3 && id !== 0xa0) return false;
  const body = at + 1 + Math.clz32(bytes[at + 1] ?? 0) - 23;
  if (id === 0xa0) return OF_GROUP.includes(bytes[body] ?? 0);
  // Number of a track in one byte, a time of two bytes, and flags of which three bits are reserved.
  return (bytes[body] ?? 0) > 0x80 && ((bytes[body + 3] ?? 0) & 0x70) === 0;
}

class GapFinder {
  readonly #bytes: ByteReader;
  /** Readers of the bytes that are searched, and of looks at places in them, which do not move each other's windows. */
  readonly #blocks: ByteReader;
  readonly #looks: ByteReader;
  readonly #gaps: Gap[] = [];
  #candidates = 0;

  constructor(file: Blob, signal: AbortSignal | undefined) {
    this.#bytes = new ByteReader(file, signal);
    this.#blocks = new ByteReader(file, signal, 0);
    this.#looks = new ByteReader(file, signal, HEAD_BYTES);
  }

  async find(): Promise<readonly Gap[]> {
    const { size } = this.#bytes;
    const header = await this.#elementAt(0, size);
    const segment = header && (await this.#elementAt(header.end, size));
    if (segment?.id !== SEGMENT) return [];
    for (let at = segment.body; at < segment.end && this.#gaps.length < GAPS_MAX; ) {
      const element = await this.#elementAt(at, segment.end);
      if (element && OF_SEGMENT.has(element.id)) {
        at = element.id === CLUSTER ? await this.#walkCluster(element) : element.end;
        continue;
      }
      const next = await this.#nextCluster(at + 1, segment.end);
      this.#addGap(at, next);
      at = next;
    }
    return this.#gaps;
  }

  /** Walks over the elements of a cluster. @returns its end */
  async #walkCluster({ body, end, isOpen }: Element): Promise<number> {
    for (let at = body; at < end && this.#gaps.length < GAPS_MAX; ) {
      const element = await this.#elementAt(at, end);
      if (element && OF_CLUSTER.has(element.id) && !element.isOpen) {
        at = element.end;
        continue;
      }
      if (isOpen && element && OF_SEGMENT.has(element.id)) return at;
      const next = await this.#nextElement(at + 1, end);
      this.#addGap(at, next);
      at = next;
    }
    return end;
  }

  #addGap(start: number, end: number): void {
    if (end - start >= VOID_BYTES_MIN) this.#gaps.push({ start, end });
  }

  /** Finds the next place from which on elements of a cluster follow each other; the end when there is none. */
  async #nextElement(from: number, end: number): Promise<number> {
    for await (const { start, bytes, length } of searchBlocks(this.#blocks, from, end, 2 * HEAD_BYTES)) {
      for (let at = 0; at < length; at++) {
        if (mayBeBlock(bytes, at) && (await this.#isChain(start + at, end))) return start + at;
      }
    }
    return end;
  }

  async #isChain(from: number, end: number): Promise<boolean> {
    if (++this.#candidates > CANDIDATES_MAX) return false;
    let at = from;
    for (let elements = 0; elements < CONFIRMING_ELEMENTS; elements++) {
      if (at === end) return elements > 0;
      const element = await this.#elementAt(at, end, this.#looks);
      if (!element || element.isOpen) return false;
      if (!OF_CLUSTER.has(element.id)) return elements > 0 && element.id === CLUSTER;
      at = element.end;
    }
    return true;
  }

  /** Finds the next cluster; the end when there is none. */
  async #nextCluster(from: number, end: number): Promise<number> {
    for await (const { start, bytes } of searchBlocks(this.#blocks, from, end, HEAD_BYTES)) {
      for (let at = bytes.indexOf(0x1f); at >= 0; at = bytes.indexOf(0x1f, at + 1)) {
        const isMark = bytes[at + 1] === 0x43 && bytes[at + 2] === 0xb6 && bytes[at + 3] === 0x75;
        if (!isMark || ++this.#candidates > CANDIDATES_MAX) continue;
        if (await this.#elementAt(start + at, end, this.#looks)) return start + at;
      }
    }
    return end;
  }

  /** Reads the head of an element; null where there is none within its parent. */
  async #elementAt(at: number, end: number, reader = this.#bytes): Promise<Element | null> {
    const head = parseElementHead(await reader.read(at, HEAD_BYTES));
    if (!head || at + head.bytes > end) return null;
    const { id, size } = head;
    const body = at + head.bytes;
    // A file that was cut off ends before its segment and its last cluster.
    const isMaster = id === SEGMENT || id === CLUSTER;
    if (size !== null && body + size > end && !isMaster) return null;
    return { id, body, end: size === null ? end : Math.min(end, body + size), isOpen: size === null };
  }
}

/**
 * Shortens a WebM or Matroska file that ends within a cluster to its last whole block, and the cluster with it:
 * mediabunny (1.61) reads whole clusters only.
 * @returns the same file where it ends between clusters, or their sizes are not known
 */
export async function dropPartialCluster(file: Blob): Promise<Blob> {
  const header = await elementAt(file, 0);
  const segment = header && (await headAt(file, header.end));
  if (header === null || segment?.id !== SEGMENT) return file;
  const { element: cluster } = await findEnding(file, header.end + segment.bytes);
  if (cluster?.id !== CLUSTER || cluster.body >= file.size) return file;
  const { at: end } = await findEnding(file, cluster.body);
  if (end === cluster.body) return file;
  const size = new Uint8Array(cluster.body - cluster.sizeAt);
  for (let at = size.length - 1, left = end - cluster.body; at >= 0; at--, left = Math.floor(left / 256)) {
    size[at] = left % 256;
  }
  size[0] = size[0] | (0x80 >> (size.length - 1));
  return new Blob([file.slice(0, cluster.sizeAt), size, file.slice(cluster.body, end)]);
}

/**
 * Finds the end of the last of consecutive elements that is whole.
 * @returns that place, and the element that ends behind the file; null where not even its head is there
 */
async function findEnding(file: Blob, from: number): Promise<{ at: number; element: OpenElement | null }> {
  let at = from;
  for (let count = 0; count < ELEMENTS_MAX; count++) {
    const element = await elementAt(file, at);
    if (!element || element.end > file.size) return { at, element };
    at = element.end;
  }
  return { at, element: null };
}

async function headAt(file: Blob, start: number): Promise<ElementHead | null> {
  return parseElementHead(new Uint8Array(await file.slice(start, start + HEAD_BYTES).arrayBuffer()));
}

/** Reads the head of an element; null at the end of the file, and where its size is unknown. */
async function elementAt(file: Blob, start: number): Promise<OpenElement | null> {
  const head = await headAt(file, start);
  if (!head || head.size === null) return null;
  const body = start + head.bytes;
  return { id: head.id, sizeAt: start + head.sizeAt, body, end: body + head.size };
}

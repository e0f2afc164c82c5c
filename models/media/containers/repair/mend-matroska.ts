import { ByteReader } from '../../bytes/byte-reader.ts';
import {
  CLUSTER,
  type ElementHead,
  HEAD_BYTES,
  parseBlockHead,
  parseElementHead,
  SEGMENT,
} from '../element-head.ts';
import { TRACKS_MAX } from '../movie-header.ts';

/** Further ids of elements: RFC 9559, 5. */
const [EBML_HEADER, INFO, TIMESTAMP_SCALE, TIMESTAMP] = [0x1a45dfa3, 0x1549a966, 0x2ad7b1, 0xe7];
const [SIMPLE_BLOCK, BLOCK_GROUP, BLOCK, VOID, CHECKSUM] = [0xa3, 0xa0, 0xa1, 0xec, 0xbf];
const DISCARD_PADDING = 0x75a2;
/** Besides these: seek head, tracks, cues, attachments, chapters and tags. */
const IN_SEGMENT = new Set([
  ...[INFO, CLUSTER, VOID, CHECKSUM, 0x114d9b74, 0x1654ae6b, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367],
]);
/** Besides these: silent tracks, position, previous size and encrypted block. */
const IN_CLUSTER = new Set([
  ...[TIMESTAMP, SIMPLE_BLOCK, BLOCK_GROUP, VOID, CHECKSUM, 0x5854, 0xa7, 0xab, 0xaf],
]);

const WINDOW_BYTES = 65_536;
/** Elements that are walked: more than the blocks of the longest audio and video that is accepted. */
const ELEMENTS_MAX = 2_000_000;
/** Places that are checked for the end of damage: random bytes look like a head now and then. */
const CHECKS_MAX = 200_000;
/** Places, among those, whose ends are looked at, which may be far away. */
const FAR_CHECKS_MAX = 10_000;
const DAMAGES_MAX = 1000;
/** Head of a void element with a size of eight bytes. */
const VOID_HEAD_BYTES = 9;

/** Damaged stretch between blocks, in seconds of their own times, by the numbers of tracks. */
interface Damage {
  /** Starts of the last blocks before it. */
  readonly before: ReadonlyMap<number, number>;
  /** Starts of the first blocks behind it. */
  readonly after: Map<number, number>;
}

/** File that mediabunny reads up to its end. */
export interface MendedFile {
  readonly file: Blob;
  /** Whether a part of a block at the end was left out. */
  readonly isCutOff: boolean;
  /** Whether another file follows, which was left out. */
  readonly isJoined: boolean;
  readonly damages: readonly Damage[];
  /** Lengths at the ends of tracks that are not played, in seconds, by their numbers. */
  readonly paddingSeconds: ReadonlyMap<number, number>;
}

/** Files that were mended, or are: each track asks once more. */
const known = new WeakMap<Blob, Promise<MendedFile>>();

/**
 * Mends a WebM or Matroska file, of which mediabunny (1.61) reads clusters up to their first fault, none that is cut
 * off, and of joined files the tracks of all. It hides damaged stretches in void elements, shortens a last cluster that
 * is cut off to its whole blocks, and leaves out what follows the first of joined files.
 * @returns the same file where nothing of this is needed, and of other formats
 */
export async function mendMatroska(file: Blob): Promise<MendedFile> {
  const mending = known.get(file) ?? new Mender(file).mend();
  known.set(file, mending);
  // A read that failed may succeed the next time.
  mending.catch(() => known.delete(file));
  return await mending;
}

/** Reports whether samples of a track between two of its times were lost in a damaged stretch. */
export function isLost(damages: readonly Damage[], track: number, from: number, to: number): boolean {
  return damages.some(
    ({ before, after }) =>
      from < (after.get(track) ?? Number.POSITIVE_INFINITY) &&
      to > (before.get(track) ?? Number.NEGATIVE_INFINITY),
  );
}

interface OpenElement {
  readonly id: number;
  readonly start: number;
  readonly sizeAt: number;
  readonly body: number;
  /** Infinite where its size is unknown. */
  readonly end: number;
}

class Mender {
  readonly #file: Blob;
  readonly #bytes: ByteReader;
  /** Bytes that replace as many of the file, in order. */
  readonly #edits: { readonly start: number; readonly bytes: Uint8Array<ArrayBuffer> }[] = [];
  readonly #damages: Damage[] = [];
  /** Starts of the latest blocks of each track, in ticks. */
  readonly #latest = new Map<number, number>();
  /** The latest block, and the start of the one of its track before it, in ticks. */
  #block: { start: number; end: number; track: number; before: number | undefined } | null = null;
  /** Groups that the latest blocks of tracks are in. */
  readonly #groups = new Map<number, OpenElement>();
  #cluster: OpenElement | null = null;
  #clusterTick = 0;
  #tickSeconds = 0.001;
  /** End of the segment, or of the file where that is earlier. */
  #end = 0;
  #checksLeft = CHECKS_MAX;
  #farChecksLeft = FAR_CHECKS_MAX;

  constructor(file: Blob) {
    this.#file = file;
    this.#bytes = new ByteReader(file, undefined, WINDOW_BYTES);
  }

  async mend(): Promise<MendedFile> {
    const header = await this.#elementAt(0);
    const segment = header?.id === EBML_HEADER ? await this.#elementAt(header.end) : null;
    if (segment?.id !== SEGMENT) return this.#mended(this.#file.size, false);
    this.#end = Math.min(segment.end, this.#file.size);
    const reached = await this.#walk(segment.body);
    const isJoined = (await this.#elementAt(reached))?.id === EBML_HEADER;
    const cluster = this.#cluster;
    const isWithin = cluster !== null && reached > cluster.body && reached < cluster.end;
    if (isWithin && Number.isFinite(cluster.end)) {
      this.#edits.push({ start: cluster.sizeAt, bytes: sizeBytes(reached - cluster.body, cluster) });
    }
    return this.#mended(isWithin || isJoined ? reached : this.#file.size, isJoined);
  }

  async #mended(end: number, isJoined: boolean): Promise<MendedFile> {
    const isShort = end < this.#file.size;
    const parts: (Blob | Uint8Array<ArrayBuffer>)[] = [];
    let kept = 0;
    for (const { start, bytes } of this.#edits.toSorted((one, other) => one.start - other.start)) {
      parts.push(this.#file.slice(kept, start), bytes);
      kept = start + bytes.length;
    }
    const paddingSeconds = new Map<number, number>();
    for (const [track, group] of this.#groups) {
      const padding = await this.#findChild(group, DISCARD_PADDING);
      if (!padding || padding.end > group.end) continue;
      // A signed number of nanoseconds.
      const bits = 8 * (padding.end - padding.body);
      const value = BigInt.asIntN(bits, BigInt(await this.#unsigned(padding)));
      paddingSeconds.set(track, Math.max(0, Number(value) / 1e9));
    }
    const isSame = parts.length === 0 && !isShort;
    const file = isSame ? this.#file : new Blob([...parts, this.#file.slice(kept, end)]);
    return { file, isCutOff: isShort && !isJoined, isJoined, damages: this.#damages, paddingSeconds };
  }

  /** Walks over the elements of the segment, and those of clusters. @returns where it ends */
  async #walk(start: number): Promise<number> {
    let at = start;
    for (let count = 0; count < ELEMENTS_MAX && at < this.#end; count++) {
      if (this.#cluster && at >= this.#cluster.end) this.#cluster = null;
      const read = this.#bytes.peek(at, HEAD_BYTES) ?? (await this.#bytes.read(at, HEAD_BYTES));
      const element = getElement(read, at);
      const bound = Math.min(this.#cluster?.end ?? this.#end, this.#end);
      // What reaches out of a cluster that ends before the file is damaged, not cut off.
      const isOver = element && element.end > this.#end && bound === this.#end;
      const isCut = this.#bytes.size - at < HEAD_BYTES || isOver;
      if (element?.id === EBML_HEADER) return at;
      if (element?.id === CLUSTER) {
        const open = this.#cluster;
        // One that reaches beyond the head of the next has a damaged size.
        if (open && Number.isFinite(open.end)) {
          this.#edits.push({ start: open.sizeAt, bytes: sizeBytes(at - open.body, open) });
        }
        [this.#cluster, this.#clusterTick] = [element, 0];
        at = element.body;
      } else if (element && this.#isKnown(element) && element.end <= bound) {
        if (IN_SEGMENT.has(element.id) && !IN_CLUSTER.has(element.id)) this.#cluster = null;
        if (element.id !== VOID) await this.#enter(element);
        at = element.end;
      } else if (isCut && (!element || this.#isKnown(element))) return at;
      else if (!element || !(await this.#isFollowed(element, bound))) {
        const next = this.#damages.length < DAMAGES_MAX ? await this.#findNext(at) : null;
        // What is behind the last cluster, such as an index, may be damaged without harm.
        if (next === null) return this.#cluster ? this.#dropDamaged(at) : this.#end;
        this.#hide(at, next);
        at = next;
      } else at = element.end;
    }
    if (at >= this.#end) return at;
    this.#cluster = null;
    return this.#file.size;
  }

  #isKnown({ id }: OpenElement): boolean {
    return IN_SEGMENT.has(id) || (this.#cluster !== null && IN_CLUSTER.has(id));
  }

  /** Reports whether an element ends where a known one begins, or with what it is in. */
  async #isFollowed({ end }: OpenElement, bound: number): Promise<boolean> {
    if (end >= bound) return end === bound;
    const next = await this.#elementAt(end);
    return next !== null && (this.#isKnown(next) || next.id === EBML_HEADER);
  }

  async #enter(element: OpenElement): Promise<void> {
    const { id, start, end } = element;
    if (id === TIMESTAMP) this.#clusterTick = await this.#unsigned(element);
    const scale = id === INFO ? await this.#findChild(element, TIMESTAMP_SCALE) : null;
    if (scale) this.#tickSeconds = (await this.#unsigned(scale)) / 1e9;
    const block = await this.#readBlock(element);
    if (!block) return;
    const { track, tick } = block;
    if (!this.#latest.has(track) && this.#latest.size >= TRACKS_MAX) return;
    this.#block = { start, end, track, before: this.#latest.get(track) };
    this.#latest.set(track, tick);
    if (id === BLOCK_GROUP) this.#groups.set(track, element);
    else this.#groups.delete(track);
    for (const { after } of this.#damages.toReversed()) {
      if (after.has(track)) break;
      after.set(track, tick * this.#tickSeconds);
    }
  }

  /** Reads the track of a block, and its start in ticks; null for other elements. */
  async #readBlock({ id, body, end }: OpenElement): Promise<{ track: number; tick: number } | null> {
    const inner = id === BLOCK_GROUP ? await this.#elementAt(body) : null;
    if (id !== SIMPLE_BLOCK && (inner?.id !== BLOCK || inner.end > end)) return null;
    const at = inner?.body ?? body;
    const bytes = this.#bytes.peek(at, HEAD_BYTES) ?? (await this.#bytes.read(at, HEAD_BYTES));
    const head = parseBlockHead(bytes);
    return head && { track: head.track, tick: this.#clusterTick + head.tick };
  }

  /** Finds the next cluster behind damage, or the next block within the same one. */
  async #findNext(from: number): Promise<number | null> {
    for (let at = from + 1; at < this.#end; at += WINDOW_BYTES) {
      const bytes = (await this.#bytes.read(at, WINDOW_BYTES + HEAD_BYTES)).slice();
      const last = Math.min(WINDOW_BYTES, bytes.length, this.#end - at);
      for (let index = 0; index < last && this.#checksLeft > 0; index++) {
        const byte = bytes[index];
        if (byte !== 0x1f && byte !== SIMPLE_BLOCK && byte !== BLOCK_GROUP) continue;
        const head = parseElementHead(bytes.subarray(index, index + HEAD_BYTES));
        if (head && this.#checksLeft-- > 0 && (await this.#isNext(toElement(head, at + index))))
          return at + index;
      }
    }
    return null;
  }

  async #isNext(element: OpenElement): Promise<boolean> {
    const cluster = this.#cluster;
    if (element.id === CLUSTER) {
      const first = await this.#elementAt(element.body);
      return first !== null && IN_CLUSTER.has(first.id);
    }
    const bound = Math.min(cluster?.end ?? 0, this.#end);
    if (!IN_CLUSTER.has(element.id) || element.end > bound) return false;
    const block = await this.#readBlock(element);
    if (!block) return false;
    const latest = this.#latest.get(block.track);
    // Blocks of a further cluster, whose head is lost, seem to go back in time.
    const isOn = latest === undefined ? this.#latest.size === 0 : block.tick > latest;
    return isOn && this.#farChecksLeft-- > 0 && (await this.#isFollowed(element, bound));
  }

  /** Drops the block before a fault, in which the damage has begun. @returns where it has stood */
  #dropDamaged(at: number): number {
    const last = this.#block?.end === at ? this.#block : null;
    if (last?.before !== undefined) this.#latest.set(last.track, last.before);
    return last?.start ?? at;
  }

  /** Hides bytes between blocks, and the block before them. */
  #hide(at: number, next: number): void {
    const start = this.#dropDamaged(at);
    const before = new Map([...this.#latest].map(([track, tick]) => [track, tick * this.#tickSeconds]));
    this.#damages.push({ before, after: new Map() });
    const end = this.#cluster ? Math.min(next, this.#cluster.end) : next;
    for (const [from, to] of [
      [start, end],
      [end, next],
    ] as const) {
      if (to - from >= 2) this.#edits.push({ start: from, bytes: voidHead(to - from) });
    }
  }

  async #elementAt(start: number): Promise<OpenElement | null> {
    return getElement(await this.#bytes.read(start, HEAD_BYTES), start);
  }

  async #findChild({ body, end }: OpenElement, id: number): Promise<OpenElement | null> {
    for (let at = body; at < end; ) {
      const child = await this.#elementAt(at);
      if (!child || child.id === id) return child;
      at = child.end;
    }
    return null;
  }

  async #unsigned({ body, end }: OpenElement): Promise<number> {
    const bytes = await this.#bytes.read(body, Math.min(8, end - body));
    return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  }
}

function getElement(bytes: Uint8Array, start: number): OpenElement | null {
  const head = parseElementHead(bytes);
  return head && toElement(head, start);
}

function toElement({ id, sizeAt, bytes, size }: ElementHead, start: number): OpenElement {
  const body = start + bytes;
  return { id, start, sizeAt: start + sizeAt, body, end: body + (size ?? Number.POSITIVE_INFINITY) };
}

/** Writes the size of an element in as many bytes as it has had: RFC 8794, 4. */
function sizeBytes(size: number, { sizeAt, body }: OpenElement): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(body - sizeAt);
  for (let at = bytes.length - 1, left = size; at >= 0; at--, left = Math.floor(left / 256)) {
    bytes[at] = left % 256;
  }
  bytes[0] = (bytes[0] ?? 0) | (0x80 >> (bytes.length - 1));
  return bytes;
}

/** Writes the head of a void element. @param length of the element, of at least 2 bytes */
function voidHead(length: number): Uint8Array<ArrayBuffer> {
  const headBytes = length < VOID_HEAD_BYTES ? 2 : VOID_HEAD_BYTES;
  const size = sizeBytes(length - headBytes, { id: VOID, start: 0, sizeAt: 1, body: headBytes, end: length });
  return Uint8Array.of(VOID, ...size);
}

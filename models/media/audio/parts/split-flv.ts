import { ByteReader } from '../formats/byte-reader.ts';
import {
  type FlvTag,
  firstFlvTagAt,
  hasOwnLength,
  parseFlvTag,
  readFlvTag,
  TAG_HEAD_BYTES,
} from '../formats/flv.ts';
import { searchBlocks } from '../formats/search-blocks.ts';
import { type AudioPart, PARTS_MAX, type SplitAudio } from './audio-part.ts';

/** Tags in a row that end damage. */
const CONFIRMING_TAGS = 3;
/** Bytes that are read at once where tags follow each other, and for a look at a place. */
const WINDOW_BYTES = 65_536;
const LOOK_BYTES = 32;
/** Damaged stretches after which the rest counts as lost: each may cost two windows. */
const GAPS_MAX = 1000;
/**
 * Places in a file, with all that are joined to it, that are looked at more closely. A crafted file has one at every
 * byte, and each costs reads.
 */
const CANDIDATES_MAX = 5000;
const [AUDIO, VIDEO] = [8, 9];
/** First letter of a header. */
const HEADER_LETTER = 0x46;

/**
 * Splits Flash videos that were joined: each begins with a header. What is damaged is left out of the parts, whose tags
 * have times of their own.
 */
export async function splitFlv(file: Blob): Promise<SplitAudio> {
  const bytes = new ByteReader(file, undefined, WINDOW_BYTES);
  const builder = new PartBuilder(file);
  const looks = new ByteReader(file, undefined, LOOK_BYTES);
  const search = new TagSearch(file, looks);
  let at = (await firstFlvTagAt(bytes, 0)) ?? 0;
  let before: FlvTag | null = null;
  while (at + TAG_HEAD_BYTES <= file.size && builder.parts.length <= PARTS_MAX) {
    const tag = await readFlvTag(bytes, at);
    const joinedAt = tag ? null : await firstFlvTagAt(bytes, at);
    if (tag && tag.end <= file.size) {
      [at, before] = [tag.end, tag];
    } else if (joinedAt !== null) {
      builder.startPart(at);
      [at, before] = [joinedAt, null];
    } else {
      // The head of the tag before may be damaged itself, so that it ends anywhere.
      const from: number = before && !(await hasOwnLength(looks, before)) ? before.at : at;
      const next = builder.gaps < GAPS_MAX ? await search.nextFrom(from + 1) : null;
      if (next === null) break;
      builder.leaveOut(from, next);
      [at, before] = [next, null];
    }
  }
  const parts = builder.finish();
  return { parts: parts.slice(0, PARTS_MAX), isCutOff: parts.length > PARTS_MAX };
}

/** Collects what the parts of a file consist of. */
class PartBuilder {
  readonly parts: AudioPart[] = [];
  /** Number of stretches that were left out. */
  gaps = 0;
  readonly #file: Blob;
  #slices: Blob[] = [];
  /** Place up to which all is kept or left out. */
  #at = 0;
  #isDamaged = false;

  constructor(file: Blob) {
    this.#file = file;
  }

  leaveOut(from: number, to: number): void {
    this.#slices.push(this.#file.slice(this.#at, from));
    this.#at = to;
    this.#isDamaged = true;
    this.gaps += 1;
  }

  startPart(at: number): void {
    this.#slices.push(this.#file.slice(this.#at, at));
    const [only] = this.#slices;
    const file = only && this.#slices.length === 1 ? only : new Blob(this.#slices);
    this.parts.push({ file, position: 'next', isDamaged: this.#isDamaged });
    this.#slices = [];
    this.#at = at;
    this.#isDamaged = false;
  }

  finish(): readonly AudioPart[] {
    this.startPart(this.#file.size);
    return this.parts;
  }
}

/** Search for the tags behind damage, with one limit for a whole file. */
class TagSearch {
  readonly #blocks: ByteReader;
  readonly #looks: ByteReader;
  #candidates = 0;

  constructor(file: Blob, looks: ByteReader) {
    this.#blocks = new ByteReader(file, undefined, 0);
    this.#looks = looks;
  }

  /** Finds the next header, or place from which on tags follow each other; null when there is none. */
  async nextFrom(from: number): Promise<number | null> {
    const { size } = this.#blocks;
    for await (const { start, bytes, length } of searchBlocks(this.#blocks, from, size, TAG_HEAD_BYTES)) {
      for (let at = 0; at < length; at++) {
        if (!this.#mayBegin(bytes, at, start)) continue;
        if (++this.#candidates > CANDIDATES_MAX) return null;
        if (await this.#isChain(start + at)) return start + at;
      }
    }
    return null;
  }

  /** Reports whether a header or a tag may begin at a place of a block: most other bytes are told at once. */
  #mayBegin(block: Uint8Array, at: number, offset: number): boolean {
    const first = block[at];
    if (first === HEADER_LETTER)
      return block[at + 1] === 0x4c && block[at + 2] === 0x56 && block[at + 3] === 1;
    // The number of the stream is always 0.
    const isTag = (first === AUDIO || first === VIDEO) && !block[at + 8] && !block[at + 9] && !block[at + 10];
    return (
      isTag &&
      (parseFlvTag(block.subarray(at), offset + at)?.end ?? Number.POSITIVE_INFINITY) <= this.#blocks.size
    );
  }

  /** Reports whether tags begin at a place, behind a header or not, each of which states its length behind it. */
  async #isChain(from: number): Promise<boolean> {
    let at = (await firstFlvTagAt(this.#looks, from)) ?? from;
    for (let tags = 0; tags < CONFIRMING_TAGS; tags++) {
      const tag = await readFlvTag(this.#looks, at);
      if (!tag || tag.end > this.#looks.size) return tags > 0 && (await this.#isEnd(at));
      if (!(await hasOwnLength(this.#looks, tag))) return false;
      at = tag.end;
    }
    return true;
  }

  /** Reports whether a file ends at a place, with the whole or before another header. */
  async #isEnd(at: number): Promise<boolean> {
    return at === this.#looks.size || (await firstFlvTagAt(this.#looks, at)) !== null;
  }
}

import { ByteReader } from '../formats/byte-reader.ts';
import { type AviAudio, type AviChunk, type AviLayout, readAviChunk } from '../formats/riff/avi.ts';
import { searchBlocks } from '../formats/search-blocks.ts';

/** Chunks in a row that tell chunks from bytes that look like one. */
const CONFIRMING_CHUNKS = 3;
/** Bytes that a look at a place reads. */
const LOOK_BYTES = 16;
/** Chunks that are written in place of damage: more than half an hour of sound and pictures has. Each takes memory. */
export const WRITTEN_MAX = 100_000;
/** Damaged stretches after which the rest stays as it is. */
const GAPS_MAX = 1000;
/** Places that are looked at more closely: a crafted file has one at every 8th byte. */
const CANDIDATES_MAX = 20_000;
const HEAD_BYTES = 8;

/** Amount of audio of a track: AVI counts time by it. */
export interface AviAmount {
  readonly bytes: number;
  readonly chunks: number;
}

export const NOTHING: AviAmount = { bytes: 0, chunks: 0 };

/** Damaged stretch among the chunks of a file. */
export interface AviGap {
  readonly start: number;
  readonly end: number;
  /** Amount of the track before it, as far as it is not damaged. */
  readonly before: AviAmount;
}

/** Damaged stretches of a file, in order, and what the track has beside them. */
export interface AviGaps {
  readonly gaps: readonly AviGap[];
  readonly found: AviAmount;
}

/** Measures what a track has in some chunks. */
export function getAmount(chunks: readonly AviChunk[], { id }: AviAudio): AviAmount {
  const own = chunks.filter((chunk) => chunk.id === id);
  return { bytes: own.reduce((sum, { size }) => sum + size, 0), chunks: own.length };
}

/** Adds two amounts. */
export function getSum(one: AviAmount, other: AviAmount): AviAmount {
  return { bytes: one.bytes + other.bytes, chunks: one.chunks + other.chunks };
}

/** Search for the damaged stretches among the chunks of a file. */
export class AviGapFinder {
  readonly #bytes: ByteReader;
  /** Readers of the bytes that are searched, and of looks at places in them, which do not move each other's windows. */
  readonly #blocks: ByteReader;
  readonly #looks: ByteReader;
  readonly #layout: AviLayout;
  readonly #track: AviAudio;
  readonly #gaps: AviGap[] = [];
  #candidates = 0;

  constructor(file: Blob, layout: AviLayout, track: AviAudio) {
    this.#bytes = new ByteReader(file);
    this.#blocks = new ByteReader(file, undefined, 0);
    this.#looks = new ByteReader(file, undefined, LOOK_BYTES);
    this.#layout = layout;
    this.#track = track;
  }

  async find(): Promise<AviGaps> {
    const { moviStart, moviEnd } = this.#layout;
    let before = NOTHING;
    for (let at = moviStart; at + HEAD_BYTES <= moviEnd && this.#gaps.length < GAPS_MAX; ) {
      const chunk = await readAviChunk(this.#bytes, at, moviEnd);
      if (chunk) {
        before = getSum(before, getAmount([chunk], this.#track));
        at = chunk.next;
        continue;
      }
      const end = await this.#nextChunk(at + 1);
      this.#gaps.push({ start: at, end, before });
      at = end;
    }
    return { gaps: this.#gaps, found: before };
  }

  /** Finds the next place from which on chunks follow each other; the end of the list when there is none. */
  async #nextChunk(from: number): Promise<number> {
    const { moviEnd } = this.#layout;
    for await (const { start, bytes, length } of searchBlocks(this.#blocks, from, moviEnd, HEAD_BYTES)) {
      for (let at = 0; at < length; at++) {
        // Two digits of a stream's number, then two letters of its kind.
        if (!isDigit(bytes[at]) || !isDigit(bytes[at + 1]) || !isLetter(bytes[at + 2])) continue;
        if (++this.#candidates > CANDIDATES_MAX) return moviEnd;
        if (await this.#isChain(start + at)) return start + at;
      }
    }
    return moviEnd;
  }

  async #isChain(from: number): Promise<boolean> {
    const { moviEnd } = this.#layout;
    let at = from;
    for (let chunks = 0; chunks < CONFIRMING_CHUNKS; chunks++) {
      const chunk = await readAviChunk(this.#looks, at, moviEnd);
      if (!chunk) return chunks > 0 && at + HEAD_BYTES > moviEnd;
      at = chunk.next;
    }
    return true;
  }
}

function isDigit(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isLetter(byte = 0): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

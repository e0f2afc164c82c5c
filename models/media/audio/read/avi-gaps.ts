import { type AviAudio, type AviChunk, type AviLayout, readAviChunk } from '../formats/avi.ts';
import { ByteReader } from '../formats/byte-reader.ts';
import { searchBlocks } from '../formats/search-blocks.ts';

/**
 * Most that the loss by the stated length may differ from an estimate, as a factor: beyond, it is of something else.
 */
const TRUST_FACTOR = 2;

interface LostChunks {
  readonly track: AviAudio;
  readonly meanBytes: number;
  readonly countMax: number;
}

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

/** Damaged stretches of a file, in order, and what the track has around them. */
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

/** Lists the chunks that each gap had by the index. Both are in order, and chunks lie one behind the other. */
export function listedChunks(
  gaps: readonly Pick<AviGap, 'start' | 'end'>[],
  index: readonly AviChunk[],
): AviChunk[][] {
  let next = 0;
  return gaps.map(({ start, end }) => {
    const chunks: AviChunk[] = [];
    for (; next < index.length; next++) {
      const chunk = index[next];
      if (chunk.at + HEAD_BYTES + chunk.size > end) break;
      if (chunk.at >= start) chunks.push(chunk);
    }
    return chunks;
  });
}

/**
 * Makes the chunks of a track that the gaps of a file without an index probably had: as much as the header states more
 * than there is, in the gaps by their lengths; where that cannot be, as much as the same bytes have elsewhere in the
 * file.
 * @returns chunks by gap
 */
export function estimateLoss({ gaps, found }: AviGaps, layout: AviLayout, track: AviAudio): AviChunk[][] {
  const { moviStart, moviEnd } = layout;
  const lostBytes = gaps.reduce((sum, { start, end }) => sum + end - start, 0);
  const foundUnits = getUnits(found, track);
  const share = foundUnits / Math.max(1, moviEnd - moviStart - lostBytes);
  const stated = track.seconds / (track.bytesASecond > 0 ? 1 / track.bytesASecond : track.chunkSeconds);
  const ratio = (stated - foundUnits) / (share * lostBytes);
  const isTrusted = ratio > 1 / TRUST_FACTOR && ratio < TRUST_FACTOR;
  const unitsAByte = share * (isTrusted ? ratio : 1);
  const meanBytes = found.chunks > 0 ? found.bytes / found.chunks : 0;
  let [units, countLeft] = [0, WRITTEN_MAX];
  return gaps.map((gap) => {
    // Sums are rounded, so that the last gap ends where it should.
    const before = Math.round(units);
    units += (gap.end - gap.start) * unitsAByte;
    const chunks = getChunks(gap, Math.round(units) - before, { track, meanBytes, countMax: countLeft });
    countLeft -= chunks.length;
    return chunks;
  });
}

function getUnits({ bytes, chunks }: AviAmount, { bytesASecond }: AviAudio): number {
  return bytesASecond > 0 ? bytes : chunks;
}

/** Makes chunks of a number of bytes, or so many chunks, as far as a gap has room for them. */
function getChunks(
  { start, end }: AviGap,
  units: number,
  { track, meanBytes, countMax }: LostChunks,
): AviChunk[] {
  const { id, bytesASecond, format } = track;
  const room = end - start - HEAD_BYTES;
  if (room < 0 || units <= 0) return [];
  if (bytesASecond > 0) {
    const bytes = Math.min(room, units);
    return [{ at: start, id, size: bytes - (bytes % Math.max(1, format.blockBytes)) }];
  }
  const count = Math.min(units, countMax, Math.floor((end - start) / (HEAD_BYTES + 2)));
  const evenBytes = 2 * Math.floor((end - start) / count / 2);
  const step = Math.min(HEAD_BYTES + 2 * Math.ceil(meanBytes / 2), evenBytes);
  return Array.from({ length: count }, (_, at) => ({ at: start + at * step, id, size: step - HEAD_BYTES }));
}

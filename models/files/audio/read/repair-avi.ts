import type { TimeSpan } from '../../../kernels/audio/speech-regions.ts';
import { OperationError } from '../../../operation/errors.ts';
import { ByteReader } from '../formats/byte-reader.ts';
import {
  type AviAudio,
  type AviChunk,
  type AviLayout,
  readAviChunk,
  readAviLayout,
} from '../formats/riff/avi.ts';

/** Chunks in a row that tell chunks from bytes that look like one. */
const CONFIRMING_CHUNKS = 3;
/** Bytes that are searched at once. */
const BLOCK_BYTES = 1_048_576;
/** Damaged stretches after which the rest stays as it is. */
const GAPS_MAX = 1000;
/** Places that are looked at more closely: a crafted file has one at every 8th byte. */
const CANDIDATES_MAX = 20_000;
const HEAD_BYTES = 8;

/** AVI file whose damaged chunks are replaced by silent ones of the same length. */
interface RepairedAvi {
  readonly file: Blob;
  readonly isRepaired: boolean;
  /** Silence of the track in their place, in seconds of its own clock. */
  readonly silence: readonly TimeSpan[];
}

interface Gap {
  readonly start: number;
  readonly end: number;
  /** Bytes and chunks of the track before it. */
  readonly before: Amount;
}

/** Amount of audio of a track: AVI counts time by it. */
interface Amount {
  readonly bytes: number;
  readonly chunks: number;
}

/**
 * Replaces the damaged chunks of an AVI file by zeros of the same length, so that readers, which count time by chunks
 * and their bytes, keep the place of what follows. What was there is told by the index; without one, all of it is taken
 * for audio where the file has nothing else.
 * @param trackNumber audio track, from 1
 * @returns the same file where nothing is damaged
 */
export async function repairAvi(file: Blob, trackNumber: number): Promise<RepairedAvi> {
  const layout = await readAviLayout(new ByteReader(file)).catch((thrown: unknown) => {
    if (thrown instanceof OperationError) return null;
    throw thrown;
  });
  const track = layout?.audio[trackNumber - 1];
  const whole = { file, isRepaired: false, silence: [] };
  if (!layout || !track) return whole;
  const gaps = await new GapFinder(file, layout, track).find();
  if (gaps.length === 0) return whole;
  const patches: Patch[] = [];
  const silence: TimeSpan[] = [];
  let lost: Amount = { bytes: 0, chunks: 0 };
  for (const gap of gaps) {
    const chunks = chunksIn(gap, layout, track);
    const amount = amountOf(chunks, track);
    const start = secondsOf(sumOf(gap.before, lost), track);
    lost = sumOf(lost, amount);
    silence.push({ start, end: secondsOf(sumOf(gap.before, lost), track) });
    patches.push(...chunks.map(({ at, id, size }) => ({ at, bytes: chunkBytes(id, size) })));
  }
  return { file: patched(file, patches), isRepaired: true, silence };
}

/** Returns the chunks that a gap had, one behind the other: an index may list a place again and again. */
function chunksIn({ start, end }: Gap, { index, audio, hasVideo }: AviLayout, track: AviAudio): AviChunk[] {
  let free = start;
  const listed = index
    .filter(({ at, size }) => at >= start && at + HEAD_BYTES + size <= end)
    .toSorted((one, other) => one.at - other.at)
    .filter(({ at, size }) => {
      if (at < free) return false;
      free = at + HEAD_BYTES + size;
      return true;
    });
  if (listed.length > 0) return listed;
  const size = end - start - HEAD_BYTES;
  const isOnly = audio.length === 1 && !hasVideo && track.bytesASecond > 0;
  return size < 0 ? [] : [{ at: start, id: isOnly ? track.id : 'JUNK', size }];
}

function amountOf(chunks: readonly AviChunk[], { id }: AviAudio): Amount {
  const own = chunks.filter((chunk) => chunk.id === id);
  return { bytes: own.reduce((sum, { size }) => sum + size, 0), chunks: own.length };
}

function sumOf(one: Amount, other: Amount): Amount {
  return { bytes: one.bytes + other.bytes, chunks: one.chunks + other.chunks };
}

function secondsOf({ bytes, chunks }: Amount, { bytesASecond, chunkSeconds }: AviAudio): number {
  return bytesASecond > 0 ? bytes / bytesASecond : chunks * chunkSeconds;
}

/** Bytes that take the place of others of a file. */
interface Patch {
  readonly at: number;
  readonly bytes: Blob;
}

/** Shared by all patches: a gap may have gigabytes. */
const ZEROS = new Blob([new Uint8Array(1_000_000)]);

function chunkBytes(id: string, size: number): Blob {
  const head = new Uint8Array(HEAD_BYTES);
  head.set(new TextEncoder().encode(id));
  new DataView(head.buffer).setUint32(4, size, true);
  const blocks = Array<Blob>(Math.floor(size / ZEROS.size)).fill(ZEROS);
  return new Blob([head, ...blocks, ZEROS.slice(0, size % ZEROS.size)]);
}

function patched(file: Blob, patches: readonly Patch[]): Blob {
  const parts: Blob[] = [];
  let at = 0;
  for (const patch of patches) {
    parts.push(file.slice(at, patch.at), patch.bytes);
    at = patch.at + patch.bytes.size;
  }
  return new Blob([...parts, file.slice(at)]);
}

class GapFinder {
  readonly #bytes: ByteReader;
  /** Reader of the bytes that are searched, whose window the reads of chunks do not move. */
  readonly #blocks: ByteReader;
  readonly #layout: AviLayout;
  readonly #track: AviAudio;
  readonly #gaps: Gap[] = [];
  #candidates = 0;

  constructor(file: Blob, layout: AviLayout, track: AviAudio) {
    this.#bytes = new ByteReader(file);
    this.#blocks = new ByteReader(file);
    this.#layout = layout;
    this.#track = track;
  }

  async find(): Promise<readonly Gap[]> {
    const { moviStart, moviEnd } = this.#layout;
    let before: Amount = { bytes: 0, chunks: 0 };
    for (let at = moviStart; at + HEAD_BYTES <= moviEnd && this.#gaps.length < GAPS_MAX; ) {
      const chunk = await readAviChunk(this.#bytes, at, moviEnd);
      if (chunk) {
        before = sumOf(before, amountOf([chunk], this.#track));
        at = chunk.next;
        continue;
      }
      const end = await this.#nextChunk(at + 1);
      this.#gaps.push({ start: at, end, before });
      at = end;
    }
    return this.#gaps;
  }

  /** Finds the next place from which on chunks follow each other; the end of the list when there is none. */
  async #nextChunk(from: number): Promise<number> {
    const { moviEnd } = this.#layout;
    for (let start = from; start + HEAD_BYTES < moviEnd; start += BLOCK_BYTES) {
      const block = await this.#blocks.read(start, BLOCK_BYTES + HEAD_BYTES);
      const length = Math.min(BLOCK_BYTES, moviEnd - start, block.length);
      for (let at = 0; at < length; at++) {
        // Two digits of a stream's number, then two letters of its kind.
        if (!isDigit(block[at]) || !isDigit(block[at + 1]) || !isLetter(block[at + 2])) continue;
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
      const chunk = await readAviChunk(this.#bytes, at, moviEnd);
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

import type { ByteReader } from '../formats/byte-reader.ts';
import { readWavPackBlock, WAVPACK_HEAD_BYTES, type WavPackBlock } from '../formats/wavpack.ts';
import { type AudioPart, PARTS_MAX, type SplitAudio, tagBytesAt, wholeFile } from './audio-part.ts';

/** Bytes that are searched at once. */
const WINDOW_BYTES = 1_048_576;
/** Places that are looked at more closely: a crafted file has one at every 32nd byte, and each costs a read. */
const CANDIDATES_MAX = 5000;
const MARK = [0x77, 0x76, 0x70, 0x6b] as const;

/** Blocks that follow each other. */
interface BlockRun {
  readonly start: number;
  end: number;
  /** First block with samples. */
  first: WavPackBlock | null;
  /** Whether another file begins, rather than what is behind damage. */
  readonly isFile: boolean;
}

/**
 * Splits WavPack files that were joined, and each of them where blocks are damaged: blocks carry the positions of their
 * samples, so what follows damage keeps its place.
 */
export async function splitWavPack(file: Blob, bytes: ByteReader): Promise<SplitAudio> {
  const runs: BlockRun[] = [];
  let run: BlockRun | null = null;
  let isCutOff = false;
  const search = new BlockSearch(bytes);
  for (let at = 0; at < bytes.size && runs.length <= PARTS_MAX; ) {
    const head = await bytes.read(at, WAVPACK_HEAD_BYTES);
    const block = readWavPackBlock(head);
    if (!block || at + block.bytes > bytes.size) {
      const tagBytes = tagBytesAt(head, 0, bytes.size - at);
      isCutOff = tagBytes === 0 && bytes.size - at > WAVPACK_HEAD_BYTES;
      at = tagBytes > 0 ? at + tagBytes : await search.nextFrom(at + 1);
      run = null;
      continue;
    }
    isCutOff = false;
    const isFile: boolean = block.isInitial && block.samples > 0 && block.index === 0;
    if (!run || (isFile && run.first)) {
      run = { start: at, end: at, first: null, isFile };
      runs.push(run);
    }
    at += block.bytes;
    run.end = at;
    if (block.samples > 0) run.first ??= block;
  }
  const parts = getParts(
    file,
    runs.filter(({ first }) => first !== null),
  );
  if (parts.length === 0) return wholeFile(file);
  return { parts: parts.slice(0, PARTS_MAX), isCutOff: isCutOff || parts.length > PARTS_MAX };
}

function getParts(file: Blob, runs: readonly BlockRun[]): AudioPart[] {
  let start = 0;
  return runs.map(({ first, isFile, ...run }, at): AudioPart => {
    const { index = 0, sampleRate = 1 } = first ?? {};
    const isNext = isFile || index === 0 || at === 0;
    if (isNext) start = index;
    const position = isNext ? 'next' : (index - start) / sampleRate;
    const firstSeconds = index / sampleRate;
    const isLate = at === 0 && run.start > 0;
    return {
      file: file.slice(run.start, run.end),
      position,
      ...(isLate && { lostBytes: run.start, firstSeconds }),
    };
  });
}

class BlockSearch {
  readonly #bytes: ByteReader;
  #candidates = 0;

  constructor(bytes: ByteReader) {
    this.#bytes = bytes;
  }

  /** Finds the next block that ends before another one, or with the file; the end of the file when there is none. */
  async nextFrom(from: number): Promise<number> {
    const { size } = this.#bytes;
    for (let start = from; start < size; start += WINDOW_BYTES) {
      const window = await this.#bytes.read(start, WINDOW_BYTES + WAVPACK_HEAD_BYTES);
      for (let at = window.indexOf(MARK[0]); at >= 0; at = window.indexOf(MARK[0], at + 1)) {
        if (!MARK.every((byte, index) => window[at + index] === byte)) continue;
        if (++this.#candidates > CANDIDATES_MAX) return size;
        if (await this.#isBlock(window, at, start)) return start + at;
      }
    }
    return size;
  }

  async #isBlock(window: Uint8Array, at: number, offset: number): Promise<boolean> {
    const block = readWavPackBlock(window.subarray(at, at + WAVPACK_HEAD_BYTES));
    const end = offset + at + (block?.bytes ?? 0);
    if (!block || end > this.#bytes.size) return false;
    return (
      end === this.#bytes.size || readWavPackBlock(await this.#bytes.read(end, WAVPACK_HEAD_BYTES)) !== null
    );
  }
}

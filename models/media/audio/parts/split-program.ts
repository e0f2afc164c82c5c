import type { ByteReader } from '../formats/byte-reader.ts';
import { readPesPacket, secondsBetween } from '../formats/elementary-stream.ts';
import { getAudioStream, nextStart, PES_HEAD_BYTES } from '../formats/program-stream.ts';
import { PARTS_MAX, type SplitAudio, splitAt } from './audio-part.ts';

/** Step back in the times of an audio stream that tells another file: packets of one are in order. */
const BACK_SECONDS = 0.5;

/** Times of the audio streams of an MPEG file, which tell where another file was joined to it. */
export class StreamTimes<Key> {
  readonly #times = new Map<Key, number>();

  /** Adds the time of a packet. @returns whether it goes back, so that another file has begun */
  add(key: Key, time: number): boolean {
    const before = this.#times.get(key);
    const goesBack = before !== undefined && secondsBetween(before, time) < -BACK_SECONDS;
    if (goesBack) this.#times.clear();
    this.#times.set(key, time);
    return goesBack;
  }
}

/** Bytes that are walked at once, besides the head that begins in the last ones. */
const WINDOW_BYTES = 4_194_304;
const [PACK, END] = [0xba, 0xb9];
const PACK_HEAD_BYTES = 4;

/**
 * Splits MPEG program streams that were joined: where the times of audio go back, another begins with the last pack
 * (ISO 13818-1, 2.5.3.3) before. Times that only jump ahead are a gap of one recording.
 */
export async function splitProgram(file: Blob, bytes: ByteReader): Promise<SplitAudio> {
  const walker = new PackWalker();
  for (let at = 0; at < bytes.size && walker.starts.length <= PARTS_MAX; ) {
    at = walker.walk(await bytes.read(at, WINDOW_BYTES + PES_HEAD_BYTES), at, bytes.size);
  }
  return splitAt(file, walker.starts, walker.isDamaged);
}

class PackWalker {
  /** Offsets of the files. */
  readonly starts = [0];
  /** Whether packets do not follow each other. */
  isDamaged = false;
  readonly #times = new StreamTimes<string>();
  #packAt = 0;
  /** Place at which the next packet should begin; null behind damage. */
  #expectedAt: number | null = 0;

  /** Walks over a window. @returns the offset in the file at which the next one starts */
  walk(part: Uint8Array, offset: number, size: number): number {
    const isLast = offset + part.length >= size;
    const end = isLast ? part.length : Math.min(part.length, WINDOW_BYTES);
    let at = 0;
    while (at < end) {
      const start = nextStart(part, at);
      if (start < 0 || start >= end) break;
      at = start + this.#add(part.subarray(start), offset + start);
    }
    return offset + Math.max(at, end);
  }

  /** Adds what begins with a start code. @returns its length, as far as it is known */
  #add(bytes: Uint8Array, offset: number): number {
    const code = bytes[3] ?? 0;
    if (code === PACK) this.#packAt = offset;
    if (code === PACK || code === END) return this.#step(offset, PACK_HEAD_BYTES, false);
    const pes = readPesPacket(bytes.subarray(0, PES_HEAD_BYTES));
    const length = ((bytes[4] ?? 0) << 8) | (bytes[5] ?? 0);
    if (!pes || length === 0) return this.#step(offset, PACK_HEAD_BYTES, false);
    this.#addTime(pes.time, getAudioStream(pes.streamId, bytes.subarray(pes.bodyAt, 6 + length))?.key);
    return this.#step(offset, 6 + length, true);
  }

  #step(offset: number, length: number, isKnown: boolean): number {
    this.isDamaged ||= this.#expectedAt !== null && offset > this.#expectedAt;
    this.#expectedAt = isKnown ? offset + length : null;
    return length;
  }

  #addTime(time: number | null, key: string | undefined): void {
    if (time === null || key === undefined) return;
    const isJoined = this.#times.add(key, time);
    if (isJoined && this.#packAt > (this.starts.at(-1) ?? 0)) this.starts.push(this.#packAt);
  }
}

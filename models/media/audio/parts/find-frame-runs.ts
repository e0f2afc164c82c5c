import type { ByteReader } from '../formats/byte-reader.ts';
import type { FrameHead, ReadFrameHead } from '../mp3/frame-head.ts';
import { isInfoFrame } from '../mp3/lame-tag.ts';
import { tagBytesAt } from './tag-bytes.ts';

/** Frames of one stream that follow each other without anything in between. */
export interface FrameRun {
  /** Offsets of the first byte and of the one behind the last. */
  readonly start: number;
  end: number;
  samples: number;
  readonly sampleRate: number;
  readonly samplesPerFrame: number;
  readonly kind: number;
  /** Whether the first frame is a tag in place of samples, which encoders write at the start of a file. */
  readonly hasTag: boolean;
  /** Bytes before the run that are neither frames nor tags. */
  readonly strayBytes: number;
  /** Position of the first sample, and of the one behind the last, where frames state it. */
  readonly clock: number | undefined;
  endClock: number | undefined;
}

export interface FrameRuns {
  readonly runs: readonly FrameRun[];
  /** Bytes behind the last run that are neither frames nor tags. */
  readonly strayBytes: number;
}

/** Limits of a search for frames. */
export interface FrameLimits {
  /** Stray bytes before the first frame. */
  readonly startMax: number;
  readonly runsMax: number;
  /** Frames in a row that tell a stream from bytes that look like the head of a frame. Defaults to 3. */
  readonly confirmingFrames?: number;
  /** Whether the search ends with the window of the first frame. */
  readonly isFirstOnly?: boolean;
}

const CONFIRMING_FRAMES = 3;
/** Bytes that are searched at once, and how many more are read: the confirming frames of the longest kind. */
const WINDOW_BYTES = 1_048_576;
const MARGIN_BYTES = 65_536;

/**
 * Finds the frames of a file that consists of frames: after anything at its start, and again after damage.
 */
export async function findFrameRuns(
  bytes: ByteReader,
  readHead: ReadFrameHead,
  limits: FrameLimits,
): Promise<FrameRuns> {
  const finder = new RunFinder(readHead, bytes.size, limits);
  for (let at = 0; at < bytes.size; ) {
    if (finder.runs.length === 0 && finder.strayBytes > limits.startMax) break;
    if (finder.runs.length > limits.runsMax || (limits.isFirstOnly && finder.runs.length > 0)) break;
    const part = await bytes.read(at, WINDOW_BYTES + MARGIN_BYTES);
    at = finder.walk(part, at);
  }
  return { runs: finder.runs.slice(0, limits.runsMax), strayBytes: finder.strayBytes };
}

class RunFinder {
  readonly runs: FrameRun[] = [];
  /** Bytes since the last frame that are neither frames nor tags. */
  strayBytes = 0;
  readonly #readHead: ReadFrameHead;
  readonly #size: number;
  readonly #confirmingFrames: number;
  #run: FrameRun | null = null;

  constructor(readHead: ReadFrameHead, size: number, { confirmingFrames = CONFIRMING_FRAMES }: FrameLimits) {
    this.#readHead = readHead;
    this.#size = size;
    this.#confirmingFrames = confirmingFrames;
  }

  /** Walks over a window. @returns the offset in the file at which the next one starts */
  walk(part: Uint8Array, offset: number): number {
    const isLast = offset + part.length >= this.#size;
    const end = isLast ? part.length : Math.min(part.length, WINDOW_BYTES);
    let at = 0;
    while (at < end) {
      const step = this.#frameAt(part, at, offset) || tagBytesAt(part, at, this.#size - offset - at);
      if (step > 0) at += step;
      else {
        this.#run = null;
        this.strayBytes += 1;
        at += 1;
      }
    }
    return offset + at;
  }

  /** Adds the frame at a place, if there is one. @returns its length, or 0 */
  #frameAt(part: Uint8Array, at: number, offset: number): number {
    const head = this.#readHead(part, at);
    if (!head || offset + at + head.bytes > this.#size) return 0;
    const hasTag = isInfoFrame(part.subarray(at));
    const continues = this.#run !== null && isOneStream(this.#run.kind, head) && !hasTag;
    if (!continues) {
      if (head.isStart === false || (!hasTag && !this.#isConfirmed(part, at, offset, head))) return 0;
      this.#start(head, offset + at, hasTag);
    }
    const run = this.#run as FrameRun;
    run.end = offset + at + head.bytes;
    if (!hasTag) run.samples += head.samples;
    run.endClock = head.clock === undefined ? undefined : head.clock + head.samples;
    this.strayBytes = 0;
    return head.bytes;
  }

  #start({ samples, sampleRate, kind, clock }: FrameHead, start: number, hasTag: boolean): void {
    const { strayBytes } = this;
    const format = { sampleRate, samplesPerFrame: samples, kind, clock, endClock: clock };
    this.#run = { start, end: start, samples: 0, ...format, hasTag, strayBytes };
    this.runs.push(this.#run);
  }

  /** Reports whether frames of the same kind follow, or the file ends after them. */
  #isConfirmed(part: Uint8Array, at: number, offset: number, { kind, bytes }: FrameHead): boolean {
    let next = at + bytes;
    for (let frames = 1; frames < this.#confirmingFrames; frames++) {
      const left = this.#size - offset - next;
      if (left <= 0 || tagBytesAt(part, next, left) > 0) return true;
      const head = this.#readHead(part, next);
      if (!head || !isOneStream(kind, head)) return false;
      // The last frame may be cut off.
      if (head.bytes > left) return true;
      next += head.bytes;
    }
    return true;
  }
}

/** Reports whether a frame continues a stream of a kind: with samples of its own, or adding to those before it. */
function isOneStream(kind: number, head: FrameHead): boolean {
  return kind !== 0 && (head.kind === 0 || head.kind === kind);
}

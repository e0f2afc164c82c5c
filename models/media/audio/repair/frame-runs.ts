import { ByteReader } from '../../bytes/byte-reader.ts';
import { DECODER_DELAY, isInfoFrame, readLameTag } from '../formats/mp3.ts';
import { type AudioPart, tagBytesAt } from './audio-part.ts';
import type { FrameHead, ReadFrameHead } from './frame-heads.ts';

/** Frames of one stream that follow each other without anything in between. */
interface FrameRun {
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

interface FrameRuns {
  readonly runs: readonly FrameRun[];
  /** Bytes behind the last run that are neither frames nor tags. */
  readonly strayBytes: number;
}

/** Limits of a search for frames. */
interface FrameLimits {
  /** Stray bytes before the first frame. */
  readonly startMax: number;
  /** With 1, the search ends with the window of the first frame. */
  readonly runsMax: number;
}

/** Frames in a row that tell a stream from bytes that look like the head of a frame. */
const CONFIRMING_FRAMES = 3;
/** Bytes that are searched at once, and how many more are read: the confirming frames of the longest kind. */
const WINDOW_BYTES = 1_048_576;
const MARGIN_BYTES = 65_536;

class RunFinder {
  readonly runs: FrameRun[] = [];
  /** Bytes since the last frame that are neither frames nor tags. */
  strayBytes = 0;
  readonly #readHead: ReadFrameHead;
  readonly #size: number;
  #run: FrameRun | null = null;

  constructor(readHead: ReadFrameHead, size: number) {
    this.#readHead = readHead;
    this.#size = size;
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
    for (let frames = 1; frames < CONFIRMING_FRAMES; frames++) {
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

/** Length of stray bytes at the end of a file that are no remainder of a frame or an unknown tag. */
const MISSING_SECONDS = 1;

function meanBytesPerSecond(runs: readonly FrameRun[]): number {
  const bytes = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  const seconds = runs.reduce((sum, { samples, sampleRate }) => sum + samples / sampleRate, 0);
  return seconds > 0 ? bytes / seconds : 1;
}

/** Reports whether stray bytes at the end of a file are no remainder of a frame or an unknown tag. */
export function isEndMissing(runs: readonly FrameRun[], strayBytes: number): boolean {
  return strayBytes > MISSING_SECONDS * meanBytesPerSecond(runs);
}

/**
 * Joins the runs of a file to parts: where another file was joined to it, and where it is damaged, another part begins.
 * Damage is as long as the frames that fit into its bytes.
 */
export async function joinFrameRuns(file: Blob, runs: readonly FrameRun[]): Promise<readonly AudioPart[]> {
  const builder = new PartBuilder(file, meanBytesPerSecond(runs));
  for (const run of runs) await builder.add(run);
  return builder.finish();
}

/** Joins runs to parts. */
class PartBuilder {
  readonly #file: Blob;
  readonly #bytesPerSecond: number;
  readonly #parts: AudioPart[] = [];
  #slices: Blob[] = [];
  #position: AudioPart['position'] = 'next';
  #last: FrameRun | null = null;
  /** Length since the start of the last file that was joined, encoder delay included. */
  #seconds = 0;
  #delaySeconds = 0;

  constructor(file: Blob, bytesPerSecond: number) {
    this.#file = file;
    this.#bytesPerSecond = bytesPerSecond;
  }

  async add(run: FrameRun): Promise<void> {
    const slice = this.#file.slice(run.start, run.end);
    const lostSeconds = this.#lostSeconds(run);
    if (!this.#last || run.hasTag || run.kind !== this.#last.kind) {
      this.#endPart('next');
      this.#delaySeconds = run.hasTag ? await getDelay(slice, run.sampleRate) : 0;
      this.#seconds = 0;
    } else if (lostSeconds > 0) {
      this.#seconds += lostSeconds;
      this.#endPart(Math.max(0, this.#seconds - this.#delaySeconds));
    }
    this.#slices.push(slice);
    this.#seconds += run.samples / run.sampleRate;
    this.#last = run;
  }

  /** Returns the length of the frames that were lost before a run: a whole number of them. */
  #lostSeconds({ strayBytes, sampleRate, samplesPerFrame, clock }: FrameRun): number {
    const estimated = (strayBytes / this.#bytesPerSecond) * sampleRate;
    const endClock = this.#last?.endClock;
    const isTimed = clock !== undefined && endClock !== undefined && strayBytes > 0;
    const samples = isTimed ? nearestSamples(clock - endClock, estimated) : estimated;
    return (Math.max(0, Math.round(samples / samplesPerFrame)) * samplesPerFrame) / sampleRate;
  }

  #endPart(position: AudioPart['position']): void {
    if (this.#slices.length > 0) this.#parts.push({ file: joined(this.#slices), position: this.#position });
    this.#slices = [];
    this.#position = position;
  }

  finish(): readonly AudioPart[] {
    this.#endPart('next');
    return this.#parts;
  }
}

/** Numbers after which the positions of frames begin again. */
const CLOCK_NUMBERS = 65_536;

/** Returns the number of samples by positions that begin again, which is closest to an estimate. */
function nearestSamples(difference: number, estimated: number): number {
  return difference + Math.round((estimated - difference) / CLOCK_NUMBERS) * CLOCK_NUMBERS;
}

function joined(slices: readonly Blob[]): Blob {
  const [only] = slices;
  return only && slices.length === 1 ? only : new Blob([...slices]);
}

/** Reads the encoder and decoder delay of an MP3 from its tag, in seconds. */
async function getDelay(file: Blob, sampleRate: number): Promise<number> {
  const tag = await readLameTag(new ByteReader(file));
  return tag ? (tag.delaySamples + DECODER_DELAY) / sampleRate : 0;
}

/**
 * Finds the frames of a file that consists of frames: after anything at its start, and again after damage.
 */
export async function findFrameRuns(
  bytes: ByteReader,
  readHead: ReadFrameHead,
  limits: FrameLimits,
): Promise<FrameRuns> {
  const finder = new RunFinder(readHead, bytes.size);
  for (let at = 0; at < bytes.size; ) {
    if (finder.runs.length === 0 && finder.strayBytes > limits.startMax) break;
    if (finder.runs.length > limits.runsMax || (limits.runsMax === 1 && finder.runs.length > 0)) break;
    const part = await bytes.read(at, WINDOW_BYTES + MARGIN_BYTES);
    at = finder.walk(part, at);
  }
  return { runs: finder.runs.slice(0, limits.runsMax), strayBytes: finder.strayBytes };
}

/** Reports whether a frame continues a stream of a kind: with its own samples, or adding to those before it. */
function isOneStream(kind: number, head: FrameHead): boolean {
  return kind !== 0 && (head.kind === 0 || head.kind === kind);
}

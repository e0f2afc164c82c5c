import type { AudioContainer } from '../../../runtime/audio-facts.ts';
import { ByteReader, damagedAudio } from '../formats/byte-reader.ts';
import { readAc3Frame } from '../formats/frames/ac3.ts';
import { readDtsFrame } from '../formats/frames/dts.ts';
import { readMpegFrame } from '../formats/frames/mpeg-audio.ts';
import { FRAME_HEAD_BYTES, type ReadFrame } from '../formats/frames/raw-frame.ts';
import { openTrueHd } from '../formats/frames/true-hd.ts';
import { type ReadFrameHead, readAdtsHead, readMp3Head } from '../mp3/frame-head.ts';
import { DECODER_DELAY, readLameTag } from '../mp3/lame-tag.ts';
import { type AudioPart, PARTS_MAX, type SplitAudio } from './audio-part.ts';
import { type FrameRun, findFrameRuns } from './find-frame-runs.ts';

/** Openers of readers, which may keep what an earlier frame stated. */
const HEADS = {
  mp3: () => readMp3Head,
  aac: () => readAdtsHead,
  ac3: () => headReader([0x0b], readAc3Frame),
  mp2: () => headReader([0xff], readMpegFrame, 'mp2'),
  dts: () => headReader([0x7f, 0x64], readDtsFrame),
  truehd: trueHdReader,
} as const satisfies Partial<Record<AudioContainer, () => ReadFrameHead>>;

/** Containers that consist of frames. */
export type FrameContainer = keyof typeof HEADS;
/** Bytes at the start of a file that may precede its first frame, besides tags. */
const START_MAX = 524_288;
/** Runs that are visited: many may be one part. */
const RUNS_MAX = 20_000;
/** Length of stray bytes at the end of a file that are no remainder of a frame or an unknown tag. */
const MISSING_SECONDS = 1;

/**
 * Returns a reader of heads amid other bytes.
 * @param firstBytes of frames: most places are told by one byte. Null where it may be any
 * @param codec of all frames. By default any that `read` knows
 */
function headReader(firstBytes: readonly number[] | null, read: ReadFrame, codec?: string): ReadFrameHead {
  return (bytes, at) => {
    if (firstBytes && !firstBytes.includes(bytes[at] ?? 0)) return null;
    const frame = read(bytes.subarray(at, at + FRAME_HEAD_BYTES));
    if (!frame || (codec && frame.codec !== codec)) return null;
    const { samples, sampleRate, channelCount, isStart = true, clock } = frame;
    return {
      bytes: frame.bytes,
      samples,
      sampleRate,
      kind: samples > 0 ? sampleRate * 16 + channelCount : 0,
      isStart,
      clock,
    };
  };
}

/** First byte of the mark of a unit of TrueHD that a stream begins with, and its place. */
const [TRUE_HD_MARK, TRUE_HD_MARK_AT] = [0xf8, 4];

function trueHdReader(): ReadFrameHead {
  const read = headReader(null, openTrueHd());
  let isOpen = false;
  return (bytes, at) => {
    if (!isOpen && bytes[at + TRUE_HD_MARK_AT] !== TRUE_HD_MARK) return null;
    const head = read(bytes, at);
    isOpen ||= head !== null;
    return head;
  };
}

/** Reports whether a container consists of frames. */
export function isFrameContainer(container: AudioContainer): container is FrameContainer {
  return Object.hasOwn(HEADS, container);
}

/**
 * Recognizes a file of frames by its first frames, wherever they begin; null for other files.
 * @param expected container that the first bytes look like, which is not searched for if its frames begin there
 */
export async function findFrameContainer(
  bytes: ByteReader,
  expected: FrameContainer | null,
): Promise<FrameContainer | null> {
  if (expected && (await findFirstFrame(bytes, expected)) === 0) return expected;
  const found: { container: FrameContainer; start: number }[] = [];
  for (const container of Object.keys(HEADS) as FrameContainer[]) {
    const start = await findFirstFrame(bytes, container);
    if (start !== null) found.push({ container, start });
  }
  return found.toSorted((one, other) => one.start - other.start)[0]?.container ?? null;
}

async function findFirstFrame(bytes: ByteReader, container: FrameContainer): Promise<number | null> {
  const { runs } = await findFrameRuns(bytes, HEADS[container](), {
    startMax: START_MAX,
    runsMax: 1,
    isFirstOnly: true,
  });
  return runs[0]?.start ?? null;
}

/**
 * Splits a file of frames: where another file was joined to it, and where it is damaged. Damage is as long as the
 * frames that fit into its bytes.
 * @throws OperationError `bad_request` when there are no frames
 */
export async function splitFrames(
  file: Blob,
  bytes: ByteReader,
  container: FrameContainer,
): Promise<SplitAudio> {
  const limits = { startMax: START_MAX, runsMax: RUNS_MAX };
  const { runs, strayBytes } = await findFrameRuns(bytes, HEADS[container](), limits);
  const bytesPerSecond = meanBytesPerSecond(runs);
  const builder = new PartBuilder(file, bytesPerSecond);
  for (const run of runs) await builder.add(run);
  const parts = builder.finish();
  if (parts.length === 0) throw damagedAudio('it holds no frames');
  const isCutOff = strayBytes > MISSING_SECONDS * bytesPerSecond || parts.length > PARTS_MAX;
  return { parts: parts.slice(0, PARTS_MAX), isCutOff };
}

function meanBytesPerSecond(runs: readonly FrameRun[]): number {
  const bytes = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  const seconds = runs.reduce((sum, { samples, sampleRate }) => sum + samples / sampleRate, 0);
  return seconds > 0 ? bytes / seconds : 1;
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
      this.#delaySeconds = run.hasTag ? await delayOf(slice, run.sampleRate) : 0;
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

/** Numbers after which the positions of frames begin anew. */
const CLOCK_NUMBERS = 65_536;

/** Returns the number of samples by positions that begin anew, which is closest to an estimate. */
function nearestSamples(difference: number, estimated: number): number {
  return difference + Math.round((estimated - difference) / CLOCK_NUMBERS) * CLOCK_NUMBERS;
}

function joined(slices: readonly Blob[]): Blob {
  const [only] = slices;
  return only && slices.length === 1 ? only : new Blob([...slices]);
}

/** Reads the encoder and decoder delay of an MP3 from its tag, in seconds. */
async function delayOf(file: Blob, sampleRate: number): Promise<number> {
  const tag = await readLameTag(new ByteReader(file));
  return tag ? (tag.delaySamples + DECODER_DELAY) / sampleRate : 0;
}

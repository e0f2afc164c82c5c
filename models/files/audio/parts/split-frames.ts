import { ByteReader, damagedAudio } from '../formats/byte-reader.ts';
import { type ReadFrameHead, readAdtsHead, readMp3Head } from '../mp3/frame-head.ts';
import { DECODER_DELAY, readLameTag } from '../mp3/lame-tag.ts';
import { type AudioPart, PARTS_MAX, type SplitAudio } from './audio-part.ts';
import { type FrameRun, findFrameRuns } from './find-frame-runs.ts';

/** Containers that consist of frames. */
export type FrameContainer = 'mp3' | 'aac';

const HEADS: Readonly<Record<FrameContainer, ReadFrameHead>> = { mp3: readMp3Head, aac: readAdtsHead };
/** Bytes at the start of a file that may precede its first frame, besides tags. */
const START_MAX = 524_288;
/** Runs that are visited: many may be one part. */
const RUNS_MAX = 20_000;
/** Length of stray bytes at the end of a file that are no remainder of a frame or an unknown tag. */
const MISSING_SECONDS = 1;

/** Recognizes a file of frames by its first frames, wherever they begin; null for other files. */
export async function findFrameContainer(bytes: ByteReader): Promise<FrameContainer | null> {
  const found: { container: FrameContainer; start: number }[] = [];
  for (const container of ['mp3', 'aac'] as const) {
    const start = await findFirstFrame(bytes, container);
    if (start !== null) found.push({ container, start });
  }
  return found.toSorted((one, other) => one.start - other.start)[0]?.container ?? null;
}

async function findFirstFrame(bytes: ByteReader, container: FrameContainer): Promise<number | null> {
  const { runs } = await findFrameRuns(bytes, HEADS[container], {
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
  const { runs, strayBytes } = await findFrameRuns(bytes, HEADS[container], limits);
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
  #lostSeconds({ strayBytes, sampleRate, samplesPerFrame }: FrameRun): number {
    const frameSeconds = samplesPerFrame / sampleRate;
    return Math.round(strayBytes / this.#bytesPerSecond / frameSeconds) * frameSeconds;
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

function joined(slices: readonly Blob[]): Blob {
  const [only] = slices;
  return only && slices.length === 1 ? only : new Blob([...slices]);
}

/** Reads the encoder and decoder delay of an MP3 from its tag, in seconds. */
async function delayOf(file: Blob, sampleRate: number): Promise<number> {
  const tag = await readLameTag(new ByteReader(file));
  return tag ? (tag.delaySamples + DECODER_DELAY) / sampleRate : 0;
}

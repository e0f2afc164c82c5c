import { ByteReader } from '../formats/byte-reader.ts';
import { DECODER_DELAY, readLameTag } from '../mp3/lame-tag.ts';
import type { AudioPart } from './audio-part.ts';
import type { FrameRun } from './find-frame-runs.ts';

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
 * @param head bytes that each part begins with, where frames need them. Then all behind it should be frames, so that
 * stray bytes before the first run are damage
 */
export async function joinFrameRuns(
  file: Blob,
  runs: readonly FrameRun[],
  head?: Blob,
): Promise<readonly AudioPart[]> {
  const builder = new PartBuilder(file, meanBytesPerSecond(runs), head);
  for (const run of runs) await builder.add(run);
  return builder.finish();
}

/** Joins runs to parts. */
class PartBuilder {
  readonly #file: Blob;
  readonly #bytesPerSecond: number;
  readonly #head: Blob | undefined;
  readonly #parts: AudioPart[] = [];
  #slices: Blob[] = [];
  #position: AudioPart['position'] = 'next';
  /** Damage before the first part. */
  #lead: Pick<AudioPart, 'lostBytes' | 'firstSeconds'> = {};
  #last: FrameRun | null = null;
  /** Length since the start of the last file that was joined, encoder delay included. */
  #seconds = 0;
  #delaySeconds = 0;

  constructor(file: Blob, bytesPerSecond: number, head: Blob | undefined) {
    this.#file = file;
    this.#bytesPerSecond = bytesPerSecond;
    this.#head = head;
  }

  async add(run: FrameRun): Promise<void> {
    const slice = this.#file.slice(run.start, run.end);
    const lostSeconds = this.#lostSeconds(run);
    if (!this.#last || run.hasTag || run.kind !== this.#last.kind) {
      this.#endPart('next');
      this.#delaySeconds = run.hasTag ? await getDelay(slice, run.sampleRate) : 0;
      this.#seconds = 0;
      if (this.#head && lostSeconds > 0)
        this.#lead = { lostBytes: run.strayBytes, firstSeconds: lostSeconds };
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
    if (this.#slices.length > 0) {
      const slices = this.#head ? [this.#head, ...this.#slices] : this.#slices;
      this.#parts.push({ file: joined(slices), position: this.#position, ...this.#lead });
      this.#lead = {};
    }
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
async function getDelay(file: Blob, sampleRate: number): Promise<number> {
  const tag = await readLameTag(new ByteReader(file));
  return tag ? (tag.delaySamples + DECODER_DELAY) / sampleRate : 0;
}

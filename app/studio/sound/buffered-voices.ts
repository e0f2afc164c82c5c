import type { TimeSpan } from '../../../models/kernels/audio/speech-regions.ts';
import { type CountIn, countInSeconds, scheduleClicks } from './count-in.ts';
import { MixOutput, type Tuning } from './mix-output.ts';
import { positionAfter } from './time-range.ts';
import type { Voices } from './voices.ts';

/** Time before the start, so that all sounds are scheduled before it comes. */
const LEAD_SECONDS = 0.03;

/** Decodes sounds to play them exactly together. @throws DOMException when the browser cannot decode one */
export async function openBufferedVoices(files: readonly Blob[], sampleRate: number): Promise<Voices> {
  // Decoding needs no output: an audible context may open only after a press.
  const decoder = new OfflineAudioContext(2, 1, sampleRate);
  const buffers: AudioBuffer[] = [];
  for (const file of files) buffers.push(await decoder.decodeAudioData(await file.arrayBuffer()));
  return new BufferedVoices(buffers, sampleRate);
}

/** Decoded sounds. Every start schedules all of them at the same sample, and a loop repeats at the same sample. */
class BufferedVoices implements Voices {
  readonly #buffers: readonly AudioBuffer[];
  readonly #output: MixOutput;
  #sources: readonly AudioBufferSourceNode[] = [];
  #endClicks = (): void => {};
  #from = 0;
  #startsAt = 0;
  #tempo = 1;
  /** Count of starts and stops: a start that another one or a stop overtakes plays nothing. */
  #turn = 0;
  #loop: TimeSpan | undefined;

  constructor(buffers: readonly AudioBuffer[], sampleRate: number) {
    this.#buffers = buffers;
    this.#output = new MixOutput(buffers.length, { sampleRate });
  }

  async start(fromSeconds: number, loop: TimeSpan | undefined, countIn?: CountIn): Promise<void> {
    this.stop();
    const turn = this.#turn;
    const { context, bus, inputs } = await this.#output.open();
    if (turn !== this.#turn) return;
    [this.#from, this.#loop, this.#tempo] = [fromSeconds, loop, this.#output.tempo];
    const soon = context.currentTime + LEAD_SECONDS;
    if (countIn) this.#endClicks = scheduleClicks(bus, soon, countIn);
    this.#startsAt = soon + (countIn ? countInSeconds(countIn) : 0);
    this.#sources = this.#buffers.map((buffer, at) => {
      const source = new AudioBufferSourceNode(context, { buffer, playbackRate: this.#tempo });
      if (loop && fromSeconds < loop.end) {
        Object.assign(source, { loop: true, loopStart: loop.start, loopEnd: loop.end });
      }
      source.connect(inputs[at]);
      source.start(this.#startsAt, fromSeconds);
      return source;
    });
    await context.resume();
  }

  stop(): void {
    this.#turn += 1;
    this.#endClicks();
    for (const source of this.#sources) {
      source.stop();
      source.disconnect();
    }
    this.#sources = [];
  }

  position(): number {
    const elapsed = (this.#output.heardAt() - this.#startsAt) * this.#tempo;
    return positionAfter(elapsed, this.#from, this.#loop);
  }

  secondsToStart(): number {
    return Math.max(0, this.#startsAt - this.#output.heardAt());
  }

  setGains(gains: readonly number[]): void {
    this.#output.setGains(gains);
  }

  setTuning(tuning: Tuning): Promise<void> {
    return this.#output.setTuning(tuning);
  }

  close(): void {
    this.stop();
    this.#output.close();
  }
}

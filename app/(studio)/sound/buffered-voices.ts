import { positionAfter, type TimeRange } from './time-range.ts';
import { applyGains, createGains, type Voices } from './voices.ts';

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
  readonly #sampleRate: number;
  #context: AudioContext | undefined;
  #gains: readonly GainNode[] = [];
  #wanted: readonly number[] = [];
  #sources: readonly AudioBufferSourceNode[] = [];
  #from = 0;
  #startsAt = 0;
  #loop: TimeRange | undefined;

  constructor(buffers: readonly AudioBuffer[], sampleRate: number) {
    this.#buffers = buffers;
    this.#sampleRate = sampleRate;
  }

  async start(fromSeconds: number, loop: TimeRange | undefined): Promise<void> {
    this.stop();
    this.#context ??= new AudioContext({ sampleRate: this.#sampleRate });
    const context = this.#context;
    if (this.#gains.length === 0) {
      this.#gains = createGains(context, this.#buffers.length);
      for (const [at, { gain }] of this.#gains.entries()) gain.value = this.#wanted[at] ?? 1;
    }
    [this.#from, this.#loop] = [fromSeconds, loop];
    this.#startsAt = context.currentTime + LEAD_SECONDS;
    this.#sources = this.#buffers.map((buffer, at) => {
      const source = new AudioBufferSourceNode(context, { buffer });
      if (loop && fromSeconds < loop.end) {
        Object.assign(source, { loop: true, loopStart: loop.start, loopEnd: loop.end });
      }
      source.connect(this.#gains[at] as GainNode);
      source.start(this.#startsAt, fromSeconds);
      return source;
    });
    await context.resume();
  }

  stop(): void {
    for (const source of this.#sources) {
      source.stop();
      source.disconnect();
    }
    this.#sources = [];
  }

  position(): number {
    const { currentTime = 0, outputLatency = 0 } = this.#context ?? {};
    return positionAfter(currentTime - outputLatency - this.#startsAt, this.#from, this.#loop);
  }

  setGains(gains: readonly number[]): void {
    this.#wanted = gains;
    if (this.#context) applyGains(this.#context, this.#gains, gains);
  }

  close(): void {
    this.stop();
    void this.#context?.close();
  }
}

import { modelMismatch } from '../../core/inference/model-errors.ts';
import type { Session } from '../../core/runtime/inference.ts';
import { getFloats } from '../../core/runtime/tensor.ts';
import { FBANK_BANDS } from './fbank.ts';
import type { FrameWindow } from './speech-windows.ts';
import { AUDIO_DIARIZE_WEIGHTS } from './weights.ts';

export const SPEAKER_CARD = AUDIO_DIARIZE_WEIGHTS.speakers;

/** Length of an embedding. */
export const EMBEDDING_LENGTH = 128;

/** Windows that the network compares at once: one after the other, they cannot use all threads. */
const AT_ONCE = 8;

/** Speaker embeddings of windows over a stream. Holds the frames of the current windows only. */
export class SpeakerEmbeddings {
  /** One embedding of length 1 for each window so far, one after another. */
  readonly values: Float32Array;
  readonly #session: Session;
  readonly #signal: AbortSignal;
  readonly #windows: readonly FrameWindow[];
  /** Frames from `#firstFrame` on. */
  #frames: Float32Array[] = [];
  #firstFrame = 0;
  /** Bands of the windows before `#next` that are not embedded yet, all of one length. */
  #gathered: Float32Array[] = [];
  #next = 0;

  /** @param windows in order */
  constructor(session: Session, windows: readonly FrameWindow[], signal: AbortSignal) {
    this.#session = session;
    this.#windows = windows;
    this.#signal = signal;
    this.values = new Float32Array(windows.length * EMBEDDING_LENGTH);
  }

  /** @throws OperationError `unavailable` when the model is another one */
  async push(frames: readonly Float32Array[]): Promise<void> {
    this.#frames.push(...frames);
    for (let window = this.#windows[this.#next]; window; window = this.#windows[this.#next]) {
      this.#dropBefore(window.first);
      if (window.end > this.#firstFrame + this.#frames.length) return;
      await this.#gather(window);
    }
    this.#dropBefore(Number.POSITIVE_INFINITY);
  }

  /** Embeds what is left, with windows that end with the stream: its last frame is not whole. */
  async finish(): Promise<void> {
    for (let window = this.#windows[this.#next]; window; window = this.#windows[this.#next]) {
      this.#dropBefore(window.first);
      if (this.#frames.length === 0) break;
      await this.#gather({ first: window.first, end: this.#firstFrame + this.#frames.length });
    }
    await this.#embed();
  }

  async #gather({ first, end }: FrameWindow): Promise<void> {
    const from = first - this.#firstFrame;
    const length = end - first;
    const bands = new Float32Array(length * FBANK_BANDS);
    for (let at = 0; at < length; at++) bands.set(this.#frames[from + at], at * FBANK_BANDS);
    if (this.#gathered[0]?.length !== bands.length) await this.#embed();
    this.#gathered.push(bands);
    this.#next += 1;
    if (this.#gathered.length === AT_ONCE) await this.#embed();
  }

  async #embed(): Promise<void> {
    const windows = this.#gathered.splice(0);
    const [{ length } = { length: 0 }] = windows;
    if (length === 0) return;
    const data = new Float32Array(windows.length * length);
    for (const [at, window] of windows.entries()) data.set(window, at * length);
    const bands = {
      type: 'float32',
      dims: [windows.length, length / FBANK_BANDS, FBANK_BANDS],
      data,
    } as const;
    const { outputs } = await this.#session.run({ bands }, this.#signal);
    const { embedding } = outputs;
    if (embedding?.data.length !== windows.length * EMBEDDING_LENGTH)
      throw modelMismatch(SPEAKER_CARD, 'embed speakers');
    this.values.set(getFloats(embedding), (this.#next - windows.length) * EMBEDDING_LENGTH);
  }

  #dropBefore(frame: number): void {
    const count = Math.min(this.#frames.length, Math.max(0, frame - this.#firstFrame));
    if (count === 0) return;
    this.#frames = this.#frames.slice(count);
    this.#firstFrame += count;
  }
}

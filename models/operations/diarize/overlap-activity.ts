import { OperationError } from '../../core/operation/errors.ts';
import type { Session } from '../../core/runtime/inference.ts';
import { floatsOf } from '../../core/runtime/tensor.ts';
import type { TimeSpan } from '../../kernels/audio/speech-regions.ts';
import { FBANK_BANDS, FBANK_HOP, FBANK_RATE } from './kernels/fbank.ts';
import { AUDIO_DIARIZE_WEIGHTS } from './weights.ts';

export const OVERLAP_CARD = AUDIO_DIARIZE_WEIGHTS.overlap;

/** Frames of the filter bank that one probability covers. */
const STRIDE = 4;
/** Frames of a window, 4 s, and from one to the next. */
const WINDOW = 400;
const STEP = 200;
/** First frames of a window that only give context, except at the start of the stream. */
const MARGIN = (WINDOW - STEP) / 2;
const FRAME_SECONDS = FBANK_HOP / FBANK_RATE;

/** Length of the time that one probability covers. */
export const OVERLAP_SECONDS = STRIDE * FRAME_SECONDS;

/** The probability that two or more people speak, in each 40 ms of a stream. Holds the frames of one window only. */
export class OverlapActivity {
  /** Zero where nobody speaks. */
  readonly probabilities: Float32Array;
  readonly #session: Session;
  readonly #signal: AbortSignal;
  readonly #regions: readonly TimeSpan[];
  /** Frames from `#firstFrame` on. */
  #frames: Float32Array[] = [];
  #firstFrame = 0;

  /** @param regions of speech, in order */
  constructor(session: Session, regions: readonly TimeSpan[], signal: AbortSignal) {
    this.#session = session;
    this.#regions = regions;
    this.#signal = signal;
    this.probabilities = new Float32Array(Math.ceil((regions.at(-1)?.end ?? 0) / OVERLAP_SECONDS));
  }

  /** @throws OperationError `unavailable` when the model is another one */
  async push(frames: readonly Float32Array[]): Promise<void> {
    this.#frames.push(...frames);
    while (this.#frames.length >= WINDOW) {
      await this.#judge(WINDOW, WINDOW - MARGIN);
      this.#frames = this.#frames.slice(STEP);
      this.#firstFrame += STEP;
    }
  }

  /** Judges the rest of the stream, in a window that is shorter. */
  async finish(): Promise<void> {
    if (this.#frames.length > this.#margin) await this.#judge(this.#frames.length, this.#frames.length);
  }

  get #margin(): number {
    return this.#firstFrame === 0 ? 0 : MARGIN;
  }

  /** Judges the next frames, of which those from the margin to `end` are told of. */
  async #judge(count: number, end: number): Promise<void> {
    if (!this.#hasSpeech(this.#firstFrame + this.#margin, this.#firstFrame + end)) return;
    const data = new Float32Array(count * FBANK_BANDS);
    for (let at = 0; at < count; at++) data.set(this.#frames[at], at * FBANK_BANDS);
    const bands = { type: 'float32', dims: [1, count, FBANK_BANDS], data } as const;
    const { outputs } = await this.#session.run({ bands }, this.#signal);
    const { overlap } = outputs;
    if (overlap?.data.length !== Math.ceil(count / STRIDE)) {
      throw new OperationError('unavailable', `${OVERLAP_CARD.id}: the model does not detect overlap.`);
    }
    const judged = floatsOf(overlap).subarray(this.#margin / STRIDE, Math.ceil(end / STRIDE));
    const from = (this.#firstFrame + this.#margin) / STRIDE;
    this.probabilities.set(judged.subarray(0, Math.max(0, this.probabilities.length - from)), from);
  }

  #hasSpeech(firstFrame: number, endFrame: number): boolean {
    const [from, to] = [firstFrame * FRAME_SECONDS, endFrame * FRAME_SECONDS];
    return this.#regions.some(({ start, end }) => start < to && end > from);
  }
}

import { modelMismatch } from '../../core/inference/model-errors.ts';
import { SessionRunner } from '../../core/inference/sessions.ts';
import type { Session } from '../../core/runtime/inference.ts';
import { getFloats } from '../../core/runtime/tensor.ts';
import type { WeightCard } from '../../core/runtime/weight-card.ts';
import type { TimeSpan } from '../../kernels/audio/speech-regions.ts';
import { decodePowerset, FRAME_STEP, POWERSET_CLASSES, SAMPLE_RATE } from './segment.ts';

/** Samples of a window: 10 s. */
export const WINDOW_SAMPLES = 160_000;

/** Speakers that one window hears. */
export interface WindowActivity {
  /** Frame of the recording that its first frame falls on. */
  readonly firstFrame: number;
  /** Speakers of each frame, as bits: those of one window have nothing to do with those of another. */
  readonly speakers: Uint8Array;
}

export interface SegmentedWindowsOptions {
  readonly card: WeightCard;
  readonly signal: AbortSignal;
  /** Samples from one window to the next. */
  readonly step: number;
  /** Reports whether a span, in seconds, may have speech; a window without any is not judged. Defaults to yes. */
  readonly mayHaveSpeech?: (span: TimeSpan) => boolean;
  /** Takes each window with its samples. */
  readonly onWindow?: (activity: WindowActivity, samples: Float32Array) => Promise<void>;
}

/** Segmentation of a stream in overlapping windows of 10 s. Holds the samples of one window only. */
export class SegmentedWindows extends SessionRunner {
  readonly activities: WindowActivity[] = [];
  readonly #options: SegmentedWindowsOptions;
  readonly #samples = new Float32Array(WINDOW_SAMPLES);
  /** Samples before the window, and those in it. */
  #start = 0;
  #count = 0;
  #isNew = false;

  constructor(session: Session, options: SegmentedWindowsOptions) {
    super(session, options.signal);
    this.#options = options;
  }

  /** @param samples mono, at 16 kHz. @throws OperationError `unavailable` when the model is another one */
  async push(samples: Float32Array): Promise<void> {
    for (let at = 0; at < samples.length; ) {
      const taken = Math.min(WINDOW_SAMPLES - this.#count, samples.length - at);
      this.#samples.set(samples.subarray(at, at + taken), this.#count);
      this.#count += taken;
      this.#isNew = true;
      at += taken;
      if (this.#count === WINDOW_SAMPLES) await this.#judge();
    }
  }

  /** Judges the last window, filled up with silence. */
  async finish(): Promise<void> {
    if (!this.#isNew) return;
    this.#samples.fill(0, this.#count);
    await this.#judge();
  }

  async #judge(): Promise<void> {
    const { step, mayHaveSpeech = () => true, onWindow } = this.#options;
    const span = { start: this.#start / SAMPLE_RATE, end: (this.#start + WINDOW_SAMPLES) / SAMPLE_RATE };
    if (mayHaveSpeech(span)) {
      const firstFrame = Math.round(this.#start / FRAME_STEP);
      const activity = { firstFrame, speakers: await this.#segment() };
      await onWindow?.(activity, this.#samples);
      this.activities.push(activity);
    }
    this.#samples.copyWithin(0, step);
    this.#start += step;
    this.#count -= step;
    this.#isNew = false;
  }

  async #segment(): Promise<Uint8Array> {
    const x = { type: 'float32', dims: [1, 1, WINDOW_SAMPLES], data: this.#samples.slice() } as const;
    const { y: scores } = await this.run({ x });
    if (scores?.dims.at(-1) !== POWERSET_CLASSES)
      throw modelMismatch(this.#options.card, 'tell speakers of a window apart');
    return decodePowerset(getFloats(scores));
  }
}

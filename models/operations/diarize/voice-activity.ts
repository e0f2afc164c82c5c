import { modelMismatch } from '../../core/inference/model-errors.ts';
import { SessionRunner } from '../../core/inference/sessions.ts';
import { getFloats, type Tensor } from '../../core/runtime/tensor.ts';
import { AUDIO_DIARIZE_WEIGHTS } from './weights.ts';

/** Root mean square of loud speech, relative to full scale: -20 dB. */
const TARGET = 0.1;

/** Largest gain: 29.5 dB. */
const GAIN_MAX = 30;

/** Time in which the power of the level that the gain follows falls by a factor of e. */
const FALL_SECONDS = 3;

/** Frames around the one that is amplified: 1 s of frames of 32 ms. */
const FRAMES = 32;

/** Rank of the frame among them whose power bounds the level: a sound of less than 0.3 s is no speech. */
const RANK = 9;

/** Power that the loudest frame of speech may have relative to that frame: 10 dB. */
const PEAK_MAX = 10;

/** Frames that must be heard after the one that is amplified. */
export const GAIN_LOOKAHEAD = 16;

/**
 * Amplifies quiet sound, frame by frame, so that its loudest frames of the last seconds reach -20 dB: Silero VAD misses
 * voices that were recorded at -50 dB. A click, however loud, lowers the gain by 10 dB at most. Never attenuates.
 */
export class AutomaticGain {
  readonly #fall: number;
  /** Powers of the last frames that were heard. */
  readonly #powers: number[] = [];
  /** Power of the loudest frame so far, which fades. */
  #power = 0;

  /** @param frameSeconds length of a frame */
  constructor(frameSeconds: number) {
    this.#fall = Math.exp(-frameSeconds / FALL_SECONDS);
  }

  /** Hears the next frame. */
  hear(frame: Float32Array): void {
    this.#powers.push(getPower(frame));
    if (this.#powers.length > FRAMES) this.#powers.shift();
  }

  /** Amplifies the samples of a frame in place, once those after it were heard. They stay between -1 and 1. */
  apply(frame: Float32Array): void {
    const usual = this.#powers.toSorted((a, b) => b - a)[RANK] ?? Number.POSITIVE_INFINITY;
    this.#power = Math.max(Math.min(getPower(frame), PEAK_MAX * usual), this.#power * this.#fall);
    const gain = Math.min(GAIN_MAX, Math.max(1, TARGET / Math.sqrt(this.#power)));
    if (gain === 1) return;
    for (let at = 0; at < frame.length; at++) {
      frame[at] = Math.min(1, Math.max(-1, gain * frame[at]));
    }
  }
}

export const VAD_CARD = AUDIO_DIARIZE_WEIGHTS['silero-vad'];

/** In Hz. */
const SAMPLE_RATE = 16_000;

/** New samples of a frame: 32 ms. */
export const FRAME = 512;

/** Last samples of the frame before, which a frame begins with. */
const CONTEXT = 64;

const STATE_DIMS = [2, 1, 128];

const STATE_LENGTH = 256;

/** Length of a frame. */
export const FRAME_SECONDS = FRAME / SAMPLE_RATE;

/** Silero VAD over a stream, quiet sound amplified: the probability of speech in each frame of 32 ms. */
export class VoiceActivity extends SessionRunner {
  readonly probabilities: number[] = [];
  readonly #input = new Float32Array(CONTEXT + FRAME);
  #frame = new Float32Array(FRAME);
  /** Frames that the gain has heard, and that are not judged yet. */
  readonly #waiting: Float32Array<ArrayBuffer>[] = [];
  #state: Tensor = { type: 'float32', dims: STATE_DIMS, data: new Float32Array(STATE_LENGTH) };
  readonly #gain = new AutomaticGain(FRAME_SECONDS);
  #count = 0;

  /** @param samples at 16 kHz. @throws OperationError `unavailable` when the model is another one */
  async push(samples: Float32Array): Promise<void> {
    for (let at = 0; at < samples.length; ) {
      const taken = Math.min(FRAME - this.#count, samples.length - at);
      this.#frame.set(samples.subarray(at, at + taken), this.#count);
      this.#count += taken;
      at += taken;
      if (this.#count === FRAME) await this.#hear();
    }
  }

  /** Judges the rest of the stream, filled up with silence. */
  async finish(): Promise<void> {
    if (this.#count > 0) await this.#hear();
    for (const frame of this.#waiting.splice(0)) await this.#judge(frame);
  }

  async #hear(): Promise<void> {
    this.#gain.hear(this.#frame);
    this.#waiting.push(this.#frame);
    this.#frame = new Float32Array(FRAME);
    this.#count = 0;
    const [next] = this.#waiting.length > GAIN_LOOKAHEAD ? this.#waiting.splice(0, 1) : [];
    if (next) await this.#judge(next);
  }

  async #judge(frame: Float32Array<ArrayBuffer>): Promise<void> {
    this.#gain.apply(frame);
    this.#input.set(frame, CONTEXT);
    const feeds: Record<string, Tensor> = {
      input: { type: 'float32', dims: [1, this.#input.length], data: this.#input.slice() },
      state: this.#state,
      sr: { type: 'int64', dims: [], data: BigInt64Array.of(BigInt(SAMPLE_RATE)) },
    };
    const outputs = await this.run(feeds);
    const { output, stateN } = outputs;
    if (!output || stateN?.data.length !== STATE_LENGTH) throw modelMismatch(VAD_CARD, 'detect speech');
    this.probabilities.push(getFloats(output)[0] ?? 0);
    this.#state = stateN;
    this.#input.copyWithin(0, FRAME);
  }
}

function getPower(frame: Float32Array): number {
  return frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length;
}

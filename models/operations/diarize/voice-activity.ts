import { OperationError } from '../../core/operation/errors.ts';
import type { Session } from '../../core/runtime/inference.ts';
import { WarningSet } from '../../core/runtime/run-warnings.ts';
import { floatsOf, type Tensor } from '../../core/runtime/tensor.ts';
import { AutomaticGain, GAIN_LOOKAHEAD } from './automatic-gain.ts';
import { AUDIO_DIARIZE_WEIGHTS } from './weights.ts';

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
export class VoiceActivity {
  readonly probabilities: number[] = [];
  /** Execution provider of the last run. */
  provider = '';
  readonly notices = new WarningSet();
  readonly #session: Session;
  readonly #signal: AbortSignal;
  readonly #input = new Float32Array(CONTEXT + FRAME);
  #frame = new Float32Array(FRAME);
  /** Frames that the gain has heard, and that are not judged yet. */
  readonly #waiting: Float32Array<ArrayBuffer>[] = [];
  #state: Tensor = { type: 'float32', dims: STATE_DIMS, data: new Float32Array(STATE_LENGTH) };
  readonly #gain = new AutomaticGain(FRAME_SECONDS);
  #count = 0;

  constructor(session: Session, signal: AbortSignal) {
    this.#session = session;
    this.#signal = signal;
  }

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
    const { outputs, provider, notices } = await this.#session.run(feeds, this.#signal);
    const { output, stateN } = outputs;
    if (!output || stateN?.data.length !== STATE_LENGTH) {
      throw new OperationError('unavailable', `${VAD_CARD.id}: the model does not detect speech.`);
    }
    this.probabilities.push(floatsOf(output)[0] ?? 0);
    this.#state = stateN;
    this.#input.copyWithin(0, FRAME);
    this.provider = provider;
    this.notices.add(...notices);
  }
}

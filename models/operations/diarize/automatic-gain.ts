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
/** Power that the loudest frame of speech may have beside that frame: 10 dB. */
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
    this.#powers.push(powerOf(frame));
    if (this.#powers.length > FRAMES) this.#powers.shift();
  }

  /** Amplifies the samples of a frame in place, once those after it were heard. They stay between -1 and 1. */
  apply(frame: Float32Array): void {
    const usual = this.#powers.toSorted((a, b) => b - a)[RANK] ?? Number.POSITIVE_INFINITY;
    this.#power = Math.max(Math.min(powerOf(frame), PEAK_MAX * usual), this.#power * this.#fall);
    const gain = Math.min(GAIN_MAX, Math.max(1, TARGET / Math.sqrt(this.#power)));
    if (gain === 1) return;
    for (let at = 0; at < frame.length; at++) {
      frame[at] = Math.min(1, Math.max(-1, gain * frame[at]));
    }
  }
}

function powerOf(frame: Float32Array): number {
  return frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length;
}

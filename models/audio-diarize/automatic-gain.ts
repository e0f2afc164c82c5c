/** Root mean square of loud speech, relative to full scale: -20 dB. */
const TARGET = 0.1;
/** Largest gain: 29.5 dB. */
const GAIN_MAX = 30;
/** Time in which the power of the level that the gain follows falls by a factor of e. */
const FALL_SECONDS = 3;

/**
 * Amplifies quiet sound, frame by frame, so that its loudest frames of the last seconds reach -20 dB: Silero VAD misses
 * voices that were recorded at -50 dB. Never attenuates.
 */
export class AutomaticGain {
  readonly #fall: number;
  /** Power of the loudest frame so far, which fades. */
  #power = 0;

  /** @param frameSeconds length of a frame */
  constructor(frameSeconds: number) {
    this.#fall = Math.exp(-frameSeconds / FALL_SECONDS);
  }

  /** Amplifies the samples of a frame in place. They stay between -1 and 1. */
  apply(frame: Float32Array): void {
    const power = frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length;
    this.#power = Math.max(power, this.#power * this.#fall);
    const gain = Math.min(GAIN_MAX, Math.max(1, TARGET / Math.sqrt(this.#power)));
    if (gain === 1) return;
    for (let at = 0; at < frame.length; at++) {
      frame[at] = Math.min(1, Math.max(-1, gain * (frame[at] as number)));
    }
  }
}

import type { PcmChunk } from '../../core/runtime/pcm.ts';

/** Correlation of two channels under which each may hold what the other drowns. */
const CORRELATION_MAX = 0.5;
/** Mean power of a channel under which it is silent: -80 dB. */
const SILENCE_POWER = 1e-8;

/** Measure of how much the two channels of a recording differ. */
export class ChannelDifference {
  #left = 0;
  #right = 0;
  #both = 0;
  #frames = 0;

  /** Whether they hold different sounds, none of which is silence. False for one channel. */
  get isLarge(): boolean {
    const least = SILENCE_POWER * this.#frames;
    if (this.#left <= least || this.#right <= least) return false;
    return Math.abs(this.#both) < CORRELATION_MAX * Math.sqrt(this.#left * this.#right);
  }

  /** Hears the next samples. */
  push([left, right]: PcmChunk): void {
    if (!left || !right) return;
    this.#frames += left.length;
    for (let at = 0; at < left.length; at++) {
      const [one, other] = [left[at], right[at]];
      this.#left += one * one;
      this.#right += other * other;
      this.#both += one * other;
    }
  }
}

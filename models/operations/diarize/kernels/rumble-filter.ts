import { HighPass } from './high-pass.ts';

/** Time over which the filter is judged again. */
const BLOCK_SECONDS = 0.05;
/** Time in which what was heard fades by a factor of e: pauses between sentences change nothing. */
const FALL_SECONDS = 10;
/** Power below the cutoff, beside that above it, from which it is taken away, and under which it no longer is. */
const RUMBLE = { from: 1, until: 0.5 };

/**
 * Takes DC offset, rumble and hum away from a stream where they are louder than all above the cutoff. Other sound stays
 * as it is, sample by sample. It crosses over within a block.
 */
export class RumbleFilter {
  readonly #highPass: HighPass;
  readonly #blockFrames: number;
  readonly #fall: number;
  #low = 0;
  #high = 0;
  /** Share of the filtered sound, 0 or 1; null before the first block. */
  #share: 0 | 1 | null = null;

  constructor(cutoffHertz: number, sampleRate: number) {
    this.#highPass = new HighPass(cutoffHertz, sampleRate);
    this.#blockFrames = Math.round(BLOCK_SECONDS * sampleRate);
    this.#fall = Math.exp(-BLOCK_SECONDS / FALL_SECONDS);
  }

  /** Filters the next samples in place. */
  apply(samples: Float32Array): void {
    for (let start = 0; start < samples.length; start += this.#blockFrames) {
      this.#filter(samples.subarray(start, start + this.#blockFrames));
    }
  }

  #filter(block: Float32Array): void {
    const filtered = block.slice();
    this.#highPass.apply(filtered);
    const high = energyOf(filtered);
    this.#high = this.#high * this.#fall + high;
    this.#low = this.#low * this.#fall + Math.max(0, energyOf(block) - high);
    const share = this.#low > this.#high * (this.#share ? RUMBLE.until : RUMBLE.from) ? 1 : 0;
    const from = this.#share ?? share;
    this.#share = share;
    if (from === 0 && share === 0) return;
    for (let at = 0; at < block.length; at++) {
      const part = from + ((share - from) * at) / block.length;
      block[at] = (1 - part) * block[at] + part * filtered[at];
    }
  }
}

function energyOf(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0);
}

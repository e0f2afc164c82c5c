import { Fft, hannWindow } from '../../kernels/audio/fft.ts';

/** A sound that is heard a second time, later and fainter, as of a loudspeaker near the microphone. */
export interface Echo {
  /** Samples of 16 kHz until it is heard again. */
  readonly delay: number;
  /** Share of its amplitude, 0 to 1. */
  readonly gain: number;
}

/** Samples of a frame, 1 s, and from one to the next. */
const [FRAME, HOP] = [16_384, 8192];
/** Delays that are looked for, in samples: below are the pitch of voices and the reflections of a room. */
const DELAY = { least: 1120, most: 7360 };
/** Frames below which an average tells nothing. */
const FRAMES_MIN = 6;
/** Mean power of a frame below which it is silent. */
const SILENCE_POWER = 1e-7;
/** Gains that count (more is a sound that repeats itself), and how far the peak must stand above the deviation of all delays. */
const GAIN = { least: 0.08, most: 0.55 };
const DEVIATIONS = 8;
/** Samples around a peak that belong to it, and how many times it is as high as every other one. */
const [PEAK_REACH, ALONE] = [16, 2];

/**
 * Finds one echo in a stream of mono samples by its cepstrum: in the average of the logarithm of the spectrum, an echo is
 * a ripple, whose transform has a peak at its delay (B. P. Bogert, M. J. R. Healy, J. W. Tukey, 1963).
 */
export class EchoMeter {
  readonly #fft = new Fft(FRAME);
  readonly #window = hannWindow(FRAME);
  readonly #frame = new Float64Array(FRAME);
  readonly #logs = new Float64Array(FRAME);
  #filled = 0;
  #frames = 0;

  async push(samples: Float32Array): Promise<void> {
    for (let from = 0; from < samples.length; ) {
      const count = Math.min(samples.length - from, FRAME - this.#filled);
      this.#frame.set(samples.subarray(from, from + count), this.#filled);
      this.#filled += count;
      from += count;
      if (this.#filled < FRAME) continue;
      this.#hear();
      this.#frame.copyWithin(0, HOP);
      this.#filled = FRAME - HOP;
    }
  }

  async finish(): Promise<void> {}

  /** Returns the echo of what was heard; null without a plain one. */
  find(): Echo | null {
    if (this.#frames < FRAMES_MIN) return null;
    const real = this.#logs.map((log) => log / this.#frames);
    this.#fft.transform(real, new Float64Array(FRAME));
    const cepstrum = real.map((value) => value / FRAME);
    let delay = DELAY.least;
    let squares = 0;
    for (let at = DELAY.least; at <= DELAY.most; at++) {
      squares += cepstrum[at] ** 2;
      if (cepstrum[at] > cepstrum[delay]) delay = at;
    }
    const deviation = Math.sqrt(squares / (DELAY.most - DELAY.least + 1));
    const others = cepstrum
      .slice(DELAY.least, DELAY.most + 1)
      .filter((_, at) => Math.abs(DELAY.least + at - delay) > PEAK_REACH);
    // A tone has many peaks, one for each of its periods.
    if (cepstrum[delay] < ALONE * others.reduce((most, value) => Math.max(most, value), 0)) return null;
    const peak = cepstrum[delay] / getOverlap(delay / FRAME);
    if (peak < GAIN.least || peak > GAIN.most || cepstrum[delay] < DEVIATIONS * deviation) return null;
    // Of strong echoes the peak shows less: speech with gains of .15, .3 and .5 had peaks of .16, .3 and .4.
    return { delay, gain: peak + 3.5 * peak ** 4 };
  }

  #hear(): void {
    const real = this.#frame.map((sample, at) => sample * this.#window[at]);
    const power = real.reduce((sum, sample) => sum + sample * sample, 0) / FRAME;
    if (power < SILENCE_POWER) return;
    const imaginary = new Float64Array(FRAME);
    this.#fft.transform(real, imaginary);
    for (let bin = 0; bin < FRAME; bin++) {
      this.#logs[bin] += Math.log(real[bin] ** 2 + imaginary[bin] ** 2 + 1e-12);
    }
    this.#frames += 1;
  }
}

/** Returns how much of a frame's sound, under the window, is heard again in the same frame: a share of 0 to 1. */
function getOverlap(share: number): number {
  const angle = 2 * Math.PI * share;
  return (1 - share) * (2 / 3 + Math.cos(angle) / 3) + Math.sin(angle) / (2 * Math.PI);
}

/** Takes an echo away from a stream: what was heard without it is what will be heard again. */
export class EchoFilter {
  readonly #gain: number;
  /** The last samples without the echo. */
  readonly #past: Float32Array;
  #at = 0;

  constructor({ delay, gain }: Echo) {
    this.#gain = gain;
    this.#past = new Float32Array(delay);
  }

  /** Filters the next samples in place. */
  apply(samples: Float32Array): void {
    for (let at = 0; at < samples.length; at++) {
      const own = samples[at] - this.#gain * this.#past[this.#at];
      samples[at] = own;
      this.#past[this.#at] = own;
      this.#at = (this.#at + 1) % this.#past.length;
    }
  }
}

import { getFrameCount, type PcmChunk } from '../../core/runtime/audio-codec.ts';
import { Fft, hannWindow } from '../../kernels/audio/fft.ts';

/** Size of a short-time Fourier transform. */
export interface StftShape {
  /** Samples of a window: a power of two, at most 65536. */
  readonly window: number;
  /** Samples from one window to the next: a quarter of the window, or a smaller power of two. */
  readonly hop: number;
}

/**
 * Spectrum of one window of stereo sound: four rows of `window / 2 + 1` bins, the real and the imaginary part of the
 * left channel, then those of the right one.
 */
export type StereoFrame = Float32Array<ArrayBuffer>;

/** Counts the bins of a spectrum. */
export function binCount({ window }: StftShape): number {
  return window / 2 + 1;
}

/**
 * Short-time Fourier transform of a stereo stream under a Hann window. Silence precedes the stream, so that all samples
 * lie in equally many windows: window k begins at sample (k + 1) hop - window.
 */
export class StereoStft {
  readonly #shape: StftShape;
  readonly #fft: Fft;
  readonly #hann: Float64Array;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;
  /** Last `window` samples of each channel. */
  readonly #held: readonly Float32Array[];
  /** New samples since the last window. */
  #fresh = 0;

  constructor(shape: StftShape) {
    this.#shape = shape;
    this.#fft = new Fft(shape.window);
    this.#hann = hannWindow(shape.window);
    this.#real = new Float64Array(shape.window);
    this.#imaginary = new Float64Array(shape.window);
    this.#held = [new Float32Array(shape.window), new Float32Array(shape.window)];
  }

  /** @param chunk stereo. @returns the spectra that it completes */
  push(chunk: PcmChunk): StereoFrame[] {
    const { window, hop } = this.#shape;
    const frames: StereoFrame[] = [];
    const count = getFrameCount(chunk);
    for (let at = 0; at < count; ) {
      const part = Math.min(hop - this.#fresh, count - at);
      this.#held.forEach((samples, channel) => {
        const to = window - hop + this.#fresh;
        samples.set(chunk[channel].subarray(at, at + part), to);
      });
      at += part;
      this.#fresh += part;
      if (this.#fresh === hop) frames.push(this.#transform());
    }
    return frames;
  }

  /** Returns the spectra that complete the stream, followed by silence. */
  finish(): StereoFrame[] {
    const { window, hop } = this.#shape;
    const rest = (hop - this.#fresh) % hop;
    const silence = new Float32Array(rest + window - hop);
    return this.push([silence, silence]);
  }

  /** Transforms both channels at once, as the real and the imaginary part of one signal. */
  #transform(): StereoFrame {
    const { window, hop } = this.#shape;
    const [left, right] = this.#held;
    for (let at = 0; at < window; at++) {
      const weight = this.#hann[at];
      this.#real[at] = left[at] * weight;
      this.#imaginary[at] = right[at] * weight;
    }
    this.#fft.transform(this.#real, this.#imaginary);
    for (const samples of this.#held) samples.copyWithin(0, hop);
    this.#fresh = 0;
    return splitChannels(this.#real, this.#imaginary);
  }
}

/** Inverse of `StereoStft` by overlap-add under a Hann window: returns its samples, whole hops, silence at the end. */
export class StereoIstft {
  readonly #shape: StftShape;
  readonly #fft: Fft;
  readonly #weights: Float64Array;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;
  readonly #sums: readonly Float64Array[];
  /** Samples to drop: the silence before the stream. */
  #lead: number;

  constructor(shape: StftShape) {
    const { window, hop } = shape;
    this.#shape = shape;
    this.#fft = new Fft(window);
    const hann = hannWindow(window);
    // Squares of Hann windows, `hop` apart, add up to 3/8 of their number. The inverse transform divides by the length.
    const scale = 1 / (window * (window / hop) * 0.375);
    this.#weights = hann.map((weight) => weight * scale);
    this.#real = new Float64Array(window);
    this.#imaginary = new Float64Array(window);
    this.#sums = [new Float64Array(window), new Float64Array(window)];
    this.#lead = window - hop;
  }

  /** Adds a spectrum. @returns the samples that no later one changes: a hop, or none at the beginning */
  push(frame: StereoFrame): PcmChunk {
    const { window, hop } = this.#shape;
    joinChannels(frame, this.#real, this.#imaginary);
    this.#fft.transform(this.#real, this.#imaginary);
    // The conjugate of a transform of the conjugate is the inverse.
    const [left, right] = this.#sums;
    for (let at = 0; at < window; at++) {
      const weight = this.#weights[at];
      left[at] = left[at] + this.#real[at] * weight;
      right[at] = right[at] - this.#imaginary[at] * weight;
    }
    const done = this.#sums.map((sum) => Float32Array.from(sum.subarray(0, hop)));
    for (const sum of this.#sums) {
      sum.copyWithin(0, hop);
      sum.fill(0, window - hop);
    }
    if (this.#lead === 0) return done;
    this.#lead -= hop;
    return [new Float32Array(0), new Float32Array(0)];
  }
}

/** Separates the spectra of two real signals that were transformed as one complex signal. */
function splitChannels(real: Float64Array, imaginary: Float64Array): StereoFrame {
  const window = real.length;
  const bins = window / 2 + 1;
  const frame = new Float32Array(4 * bins);
  for (let bin = 0; bin < bins; bin++) {
    const mirror = (window - bin) % window;
    const [re, im] = [real[bin], imaginary[bin]];
    const [mirrorRe, mirrorIm] = [real[mirror], imaginary[mirror]];
    frame[bin] = (re + mirrorRe) / 2;
    frame[bins + bin] = (im - mirrorIm) / 2;
    frame[2 * bins + bin] = (im + mirrorIm) / 2;
    frame[3 * bins + bin] = (mirrorRe - re) / 2;
  }
  return frame;
}

/** Writes the conjugate of left + i right, over all bins, into `real` and `imaginary`. */
function joinChannels(frame: StereoFrame, real: Float64Array, imaginary: Float64Array): void {
  const window = real.length;
  const bins = window / 2 + 1;
  for (let bin = 0; bin < bins; bin++) {
    const isEnd = bin === 0 || bin === bins - 1;
    const leftRe = frame[bin];
    const leftIm = isEnd ? 0 : frame[bins + bin];
    const rightRe = frame[2 * bins + bin];
    const rightIm = isEnd ? 0 : frame[3 * bins + bin];
    real[bin] = leftRe - rightIm;
    imaginary[bin] = -(leftIm + rightRe);
    if (isEnd) continue;
    real[window - bin] = leftRe + rightIm;
    imaginary[window - bin] = leftIm - rightRe;
  }
}

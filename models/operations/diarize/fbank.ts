import { Fft } from '../../kernels/audio/fft.ts';

/** In Hz: the rate of the samples. */
export const FBANK_RATE = 16_000;
/** Samples from one frame to the next: 10 ms. */
export const FBANK_HOP = 160;
/** Samples of a frame: 25 ms. */
export const FBANK_FRAME = 400;
export const FBANK_BANDS = 80;
const FFT_SIZE = 512;
const LOWEST_HZ = 20;
const PRE_EMPHASIS = 0.97;
/** Kaldi takes samples of 16 bits. */
const FULL_SCALE = 32_768;
/** Machine epsilon of 32-bit floats, below which Kaldi takes no logarithm. */
const POWER_MIN = 2 ** -23;

/** Triangle of a band: weights of consecutive bins. */
interface Triangle {
  readonly firstBin: number;
  readonly weights: Float64Array;
}

/**
 * Kaldi's log mel filter bank of a stream: 80 bands from 20 Hz to 8 kHz, frames of 25 ms every 10 ms, Hamming window,
 * pre-emphasis 0.97, no dither, whole frames only (`compute-fbank-feats --snip-edges=true --window-type=hamming`).
 */
export class Fbank {
  readonly #fft = new Fft(FFT_SIZE);
  readonly #real = new Float64Array(FFT_SIZE);
  readonly #imaginary = new Float64Array(FFT_SIZE);
  readonly #power = new Float64Array(FFT_SIZE / 2);
  #held = new Float32Array(0);

  /**
   * Returns the frames that the samples complete.
   * @param samples at 16 kHz, full scale -1 to 1
   */
  push(samples: Float32Array): Float32Array<ArrayBuffer>[] {
    const joined = new Float32Array(this.#held.length + samples.length);
    joined.set(this.#held);
    joined.set(samples, this.#held.length);
    const frames: Float32Array<ArrayBuffer>[] = [];
    let start = 0;
    for (; start + FBANK_FRAME <= joined.length; start += FBANK_HOP) {
      frames.push(this.#bandsOf(joined.subarray(start, start + FBANK_FRAME)));
    }
    this.#held = joined.slice(start);
    return frames;
  }

  #bandsOf(samples: Float32Array): Float32Array<ArrayBuffer> {
    this.#load(samples);
    this.#fft.transform(this.#real, this.#imaginary);
    for (let bin = 0; bin < this.#power.length; bin++) {
      this.#power[bin] = this.#real[bin] ** 2 + this.#imaginary[bin] ** 2;
    }
    return Float32Array.from(TRIANGLES, ({ firstBin, weights }) => {
      let energy = 0;
      for (let at = 0; at < weights.length; at++) {
        energy += weights[at] * this.#power[firstBin + at];
      }
      return Math.log(Math.max(energy, POWER_MIN));
    });
  }

  /** Loads a frame without its mean, pre-emphasised and windowed. */
  #load(samples: Float32Array): void {
    let mean = 0;
    for (let at = 0; at < FBANK_FRAME; at++) mean += samples[at];
    mean /= FBANK_FRAME;
    this.#real.fill(0);
    this.#imaginary.fill(0);
    let earlier = (samples[0] - mean) * FULL_SCALE;
    for (let at = 0; at < FBANK_FRAME; at++) {
      const level = (samples[at] - mean) * FULL_SCALE;
      this.#real[at] = (level - PRE_EMPHASIS * earlier) * WINDOW[at];
      earlier = level;
    }
  }
}

const WINDOW = Float64Array.from(
  { length: FBANK_FRAME },
  (_, at) => 0.54 - 0.46 * Math.cos((2 * Math.PI * at) / (FBANK_FRAME - 1)),
);

const TRIANGLES: readonly Triangle[] = makeTriangles();

function makeTriangles(): Triangle[] {
  const [lowest, highest] = [mel(LOWEST_HZ), mel(FBANK_RATE / 2)];
  const width = (highest - lowest) / (FBANK_BANDS + 1);
  return Array.from({ length: FBANK_BANDS }, (_, band) => {
    const left = lowest + band * width;
    const weights = Array.from({ length: FFT_SIZE / 2 }, (_, bin) => {
      const position = (mel((bin * FBANK_RATE) / FFT_SIZE) - left) / width;
      return Math.max(0, Math.min(position, 2 - position));
    });
    const firstBin = weights.findIndex((weight) => weight > 0);
    return { firstBin, weights: Float64Array.from(weights.slice(firstBin).filter((weight) => weight > 0)) };
  });
}

function mel(hertz: number): number {
  return 1127 * Math.log(1 + hertz / 700);
}

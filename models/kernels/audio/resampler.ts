import { getFrameCount, type PcmChunk } from '../../core/runtime/audio-codec.ts';

/** Attenuation of the Kaiser window's sidelobes, and so of aliases and images. */
const ATTENUATION_DB = 90;

/** Zero crossings of the sinc on either side of its centre. More of them narrow the transition band and take time. */
const CROSSINGS = 32;

/**
 * Most weights of a filter. Usual rates, which have a large common divisor, need far fewer. For other rates, an output
 * takes the weights of the nearest position before its own: the error is 99 dB below the sound, less than the aliases.
 */
const WEIGHTS_MAX = 4_194_304;

/** Low-pass filter in phases: the position of an output sample between two inputs selects its weights. */
interface ResampleFilter {
  /** Output samples for every `step` input samples; both without a common divisor. */
  readonly phaseCount: number;
  readonly step: number;
  /** Weights of one phase. Even; half of them precede the output sample. */
  readonly tapCount: number;
  /** Positions between two inputs for which there are weights: mostly one for each phase. */
  readonly positionCount: number;
  /** `positionCount * tapCount` weights, position by position; those of one position add up to 1. */
  readonly weights: Float32Array<ArrayBuffer>;
}

/** Counts the frames that resampling makes of `frameCount`: one for each output time before the end of the input. */
export function resampledFrameCount(frameCount: number, fromRate: number, toRate: number): number {
  return Math.ceil((frameCount * toRate) / fromRate);
}

/**
 * Band-limited converter of a stream of chunks from one sample rate to another. Any division into chunks results in
 * the same samples, `resampledFrameCount` in total. The filter reads silence before the start and after the end.
 */
export class Resampler {
  readonly #filter: ResampleFilter | null;
  readonly #rates: readonly [from: number, to: number];
  /** Inputs of each channel that later outputs still need. */
  #held: Float32Array<ArrayBuffer>[] | null = null;
  #heldCount = 0;
  /** First input that the next output needs, as an index into `#held`, and the phase of that output. */
  #first = 0;
  #phase = 0;
  #framesIn = 0;
  #framesOut = 0;

  /** @param fromRate, toRate in Hz, integers */
  constructor(fromRate: number, toRate: number) {
    this.#rates = [fromRate, toRate];
    this.#filter = fromRate === toRate ? null : designResampleFilter(fromRate, toRate);
  }

  /** Returns the samples that `chunk` completes. Every chunk has the same number of channels. */
  push(chunk: PcmChunk): PcmChunk {
    this.#framesIn += getFrameCount(chunk);
    return this.#filter ? this.#resample(this.#filter, chunk, Number.POSITIVE_INFINITY) : chunk;
  }

  /** Returns the rest. */
  finish(): PcmChunk {
    const filter = this.#filter;
    if (!filter || !this.#held) return [];
    const rest = resampledFrameCount(this.#framesIn, ...this.#rates) - this.#framesOut;
    const silence = this.#held.map(() => new Float32Array(filter.tapCount));
    return this.#resample(filter, silence, rest);
  }

  #resample(filter: ResampleFilter, chunk: PcmChunk, framesMax: number): PcmChunk {
    const held = this.#append(filter, chunk);
    const { phaseCount, step, tapCount } = filter;
    const lastFirst = this.#heldCount - tapCount;
    // Output k begins at #first + floor((#phase + k * step) / phaseCount).
    const ready = Math.floor(((lastFirst - this.#first + 1) * phaseCount - 1 - this.#phase) / step) + 1;
    const count = Math.max(0, Math.min(framesMax, ready));
    const start = { first: this.#first, phase: this.#phase };
    const resampled = held.map((samples) => convolve(samples, filter, start, count));
    const phases = this.#phase + count * step;
    this.#phase = phases % phaseCount;
    this.#drop(held, this.#first + Math.floor(phases / phaseCount));
    this.#framesOut += count;
    return resampled;
  }

  /** Appends a chunk to the held inputs. Half a filter of silence precedes the first chunk. */
  #append({ tapCount }: ResampleFilter, chunk: PcmChunk): Float32Array<ArrayBuffer>[] {
    if (!this.#held) {
      this.#held = chunk.map(() => new Float32Array(0));
      this.#heldCount = tapCount / 2 - 1;
    }
    const needed = this.#heldCount + getFrameCount(chunk);
    this.#held = this.#held.map((samples, channel) => {
      const grown = samples.length >= needed ? samples : grownTo(samples, needed);
      grown.set(chunk[channel], this.#heldCount);
      return grown;
    });
    this.#heldCount = needed;
    return this.#held;
  }

  /** Drops inputs that no later output needs. */
  #drop(held: readonly Float32Array[], frames: number): void {
    const dropped = Math.min(frames, this.#heldCount);
    for (const samples of held) samples.copyWithin(0, dropped, this.#heldCount);
    this.#heldCount -= dropped;
    this.#first = frames - dropped;
  }
}

function grownTo(samples: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const grown = new Float32Array(length);
  grown.set(samples);
  return grown;
}

/** Filters `count` outputs. Four independent sums let the processor add them at once. */
function convolve(
  samples: Float32Array,
  { phaseCount, step, tapCount, positionCount, weights }: ResampleFilter,
  start: { readonly first: number; readonly phase: number },
  count: number,
): Float32Array<ArrayBuffer> {
  const out = new Float32Array(count);
  const stepWhole = Math.floor(step / phaseCount);
  const stepRest = step % phaseCount;
  const wholeTaps = tapCount - (tapCount % 4);
  let first = start.first;
  let phase = start.phase;
  for (let index = 0; index < count; index++) {
    const base = Math.floor((phase * positionCount) / phaseCount) * tapCount;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let tap = 0;
    for (; tap < wholeTaps; tap += 4) {
      const at = first + tap;
      const weight = base + tap;
      a += samples[at] * weights[weight];
      b += samples[at + 1] * weights[weight + 1];
      c += samples[at + 2] * weights[weight + 2];
      d += samples[at + 3] * weights[weight + 3];
    }
    for (; tap < tapCount; tap++) a += samples[first + tap] * weights[base + tap];
    out[index] = a + b + c + d;
    first += stepWhole;
    phase += stepRest;
    if (phase >= phaseCount) {
      phase -= phaseCount;
      first += 1;
    }
  }
  return out;
}

/**
 * Designs the filter that converts one sample rate to another: a sinc under a Kaiser window, after J. O. Smith,
 * "Digital Audio Resampling Home Page" (CCRMA, 2002), and J. F. Kaiser's formulas for beta and width (in A. V.
 * Oppenheim and R. W. Schafer, "Discrete-Time Signal Processing", section 7.6). The stop band begins at half the lower
 * of the two rates, so that no alias is audible; the pass band ends at 0.41 of that rate.
 */
function designResampleFilter(fromRate: number, toRate: number): ResampleFilter {
  const divisor = greatestCommonDivisor(fromRate, toRate);
  const [phaseCount, step] = [toRate / divisor, fromRate / divisor];
  const scale = Math.min(1, toRate / fromRate);
  const half = Math.ceil(CROSSINGS / scale);
  const tapCount = half * 2;
  const beta = 0.1102 * (ATTENUATION_DB - 8.7);
  const transition = (ATTENUATION_DB - 7.95) / (2.285 * 2 * Math.PI * (tapCount - 1));
  const cutoff = 0.5 * scale - transition / 2;
  const positionCount = Math.min(phaseCount, Math.floor(WEIGHTS_MAX / tapCount));
  const weights = new Float32Array(positionCount * tapCount);
  const position = new Float64Array(tapCount);
  const window = createKaiser(beta);
  for (let index = 0; index < positionCount; index++) {
    let sum = 0;
    for (let tap = 0; tap < tapCount; tap++) {
      const time = tap - (half - 1) - index / positionCount;
      const weight = sinc(2 * cutoff * time) * window(time / half);
      position[tap] = weight;
      sum += weight;
    }
    for (let tap = 0; tap < tapCount; tap++) weights[index * tapCount + tap] = position[tap] / sum;
  }
  return { phaseCount, step, tapCount, positionCount, weights };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Returns the Kaiser window by the position in it, -1 to 1. */
function createKaiser(beta: number): (position: number) => number {
  const most = besselI0(beta);
  return (position) => {
    const inside = 1 - position * position;
    return inside <= 0 ? 0 : besselI0(beta * Math.sqrt(inside)) / most;
  };
}

/** Modified Bessel function of the first kind and order 0, by its power series. */
function besselI0(x: number): number {
  let [sum, term] = [1, 1];
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

/** Attenuation of the Kaiser window's sidelobes, and so of aliases and images. */
const ATTENUATION_DB = 90;
/** Zero crossings of the sinc on either side of its centre. More of them narrow the transition band and take time. */
const CROSSINGS = 32;

/** Low-pass filter in phases: the position of an output sample between two inputs selects its weights. */
export interface ResampleFilter {
  /** Output samples for every `step` input samples; both without a common divisor. */
  readonly phaseCount: number;
  readonly step: number;
  /** Weights of one phase. Even; half of them precede the output sample. */
  readonly tapCount: number;
  /** `phaseCount * tapCount` weights, phase by phase; those of one phase add up to 1. */
  readonly weights: Float32Array<ArrayBuffer>;
}

/**
 * Designs the filter that converts one sample rate to another: a sinc under a Kaiser window, after J. O. Smith,
 * "Digital Audio Resampling Home Page" (CCRMA, 2002), and J. F. Kaiser's formulas for beta and width (in A. V.
 * Oppenheim and R. W. Schafer, "Discrete-Time Signal Processing", section 7.6). The stop band begins at half the lower
 * of the two rates, so that no alias is audible; the pass band ends at 0.41 of that rate.
 */
export function designResampleFilter(fromRate: number, toRate: number): ResampleFilter {
  const divisor = greatestCommonDivisor(fromRate, toRate);
  const [phaseCount, step] = [toRate / divisor, fromRate / divisor];
  const scale = Math.min(1, toRate / fromRate);
  const half = Math.ceil(CROSSINGS / scale);
  const tapCount = half * 2;
  const beta = 0.1102 * (ATTENUATION_DB - 8.7);
  const transition = (ATTENUATION_DB - 7.95) / (2.285 * 2 * Math.PI * (tapCount - 1));
  const cutoff = 0.5 * scale - transition / 2;
  const weights = new Float32Array(phaseCount * tapCount);
  const phase = new Float64Array(tapCount);
  for (let index = 0; index < phaseCount; index++) {
    let sum = 0;
    for (let tap = 0; tap < tapCount; tap++) {
      const time = tap - (half - 1) - index / phaseCount;
      const weight = sinc(2 * cutoff * time) * kaiser(time / half, beta);
      phase[tap] = weight;
      sum += weight;
    }
    for (let tap = 0; tap < tapCount; tap++) weights[index * tapCount + tap] = phase[tap] / sum;
  }
  return { phaseCount, step, tapCount, weights };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Kaiser window. @param position from -1 to 1 over the window */
function kaiser(position: number, beta: number): number {
  const inside = 1 - position * position;
  return inside <= 0 ? 0 : besselI0(beta * Math.sqrt(inside)) / besselI0(beta);
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

import type { StereoFrame } from './stft.ts';

/**
 * Share of each source in the power of each bin: one array of frames x bins for each source. At every bin they add up
 * to 1.
 */
export type Masks = readonly Float32Array[];

/** Share of a bin's power that belongs to no source, so that a matrix of sources in one direction has an inverse. */
const NOISE = 1e-6;
/** Numbers of a Hermitian 2 x 2 matrix: left, right, and the real and imaginary part of left times conjugate right. */
const MATRIX = 4;

/**
 * Separates sources by a multichannel Wiener filter: a source's power is the mask's share of the mixture's, its spatial
 * covariance is constant over the frames. After N. Duong, E. Vincent, R. Gribonval, "Under-determined reverberant audio
 * source separation using a full-rank spatial covariance model" (IEEE TASLP, 2010), one step, as in S. Uhlich et al.,
 * "Improving music source separation based on deep neural networks through data augmentation and network blending"
 * (ICASSP, 2017). Sources without a direction of their own are just the mask's share.
 * @param count sources to return, the first ones
 * @returns the frames of each source
 */
export function wienerFilter(frames: readonly StereoFrame[], masks: Masks, count: number): StereoFrame[][] {
  const bins = (frames[0]?.length ?? 0) / 4;
  const covariances = masks.map((mask) => spatialCovariance(frames, mask, bins));
  const outputs = Array.from({ length: count }, () => frames.map(() => new Float32Array(4 * bins)));
  frames.forEach((frame, at) => {
    for (let bin = 0; bin < bins; bin++) filterBin(frame, at, bin);
  });
  return outputs;

  function filterBin(frame: StereoFrame, at: number, bin: number): void {
    const [leftRe, leftIm] = [frame[bin], frame[bins + bin]];
    const [rightRe, rightIm] = [frame[2 * bins + bin], frame[3 * bins + bin]];
    const base = bin * MATRIX;
    let a = NOISE;
    let d = NOISE;
    let re = 0;
    let im = 0;
    for (let source = 0; source < masks.length; source++) {
      const share = masks[source][at * bins + bin];
      const matrix = covariances[source];
      a += share * matrix[base];
      d += share * matrix[base + 1];
      re += share * matrix[base + 2];
      im += share * matrix[base + 3];
    }
    // The inverse of [[a, b], [b*, d]] times the mixture, then times each source's own matrix.
    const determinant = a * d - re * re - im * im;
    const firstRe = (d * leftRe - (re * rightRe - im * rightIm)) / determinant;
    const firstIm = (d * leftIm - (re * rightIm + im * rightRe)) / determinant;
    const secondRe = (a * rightRe - (re * leftRe + im * leftIm)) / determinant;
    const secondIm = (a * rightIm - (re * leftIm - im * leftRe)) / determinant;
    for (let source = 0; source < count; source++) {
      const output = outputs[source][at];
      const share = masks[source][at * bins + bin];
      const own = covariances[source];
      const [ownA, ownD] = [own[base], own[base + 1]];
      const [ownRe, ownIm] = [own[base + 2], own[base + 3]];
      output[bin] = share * (ownA * firstRe + ownRe * secondRe - ownIm * secondIm);
      output[bins + bin] = share * (ownA * firstIm + ownRe * secondIm + ownIm * secondRe);
      output[2 * bins + bin] = share * (ownD * secondRe + ownRe * firstRe + ownIm * firstIm);
      output[3 * bins + bin] = share * (ownD * secondIm + ownRe * firstIm - ownIm * firstRe);
    }
  }
}

/** Returns a source's covariance between the channels at each bin, of trace 1. Without any power: none between them. */
function spatialCovariance(frames: readonly StereoFrame[], mask: Float32Array, bins: number): Float64Array {
  const matrices = new Float64Array(bins * MATRIX);
  frames.forEach((frame, at) => {
    for (let bin = 0; bin < bins; bin++) {
      const share = mask[at * bins + bin];
      const weight = share * share;
      const [leftRe, leftIm] = [frame[bin], frame[bins + bin]];
      const [rightRe, rightIm] = [frame[2 * bins + bin], frame[3 * bins + bin]];
      const base = bin * MATRIX;
      matrices[base] = matrices[base] + weight * (leftRe * leftRe + leftIm * leftIm);
      matrices[base + 1] = matrices[base + 1] + weight * (rightRe * rightRe + rightIm * rightIm);
      matrices[base + 2] = matrices[base + 2] + weight * (leftRe * rightRe + leftIm * rightIm);
      matrices[base + 3] = matrices[base + 3] + weight * (leftIm * rightRe - leftRe * rightIm);
    }
  });
  for (let base = 0; base < matrices.length; base += MATRIX) {
    const trace = matrices[base] + matrices[base + 1];
    if (trace > 1e-30) {
      for (let at = 0; at < MATRIX; at++) matrices[base + at] = matrices[base + at] / trace;
    } else {
      matrices.set([0.5, 0.5, 0, 0], base);
    }
  }
  return matrices;
}

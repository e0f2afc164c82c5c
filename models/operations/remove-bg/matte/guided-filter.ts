import type { FloatImage } from '../../../core/runtime/raster.ts';
import { boxMean, boxMeanRows } from '../../../kernels/raster/box-mean.ts';
import type { RowSource } from '../../../kernels/raster/picture.ts';

export interface GuidedFilterOptions {
  /** Pixels to each side over which matte and colours are taken to be linearly related. */
  readonly radius: number;
  /** Colour variance (0 to 1 scale, squared) below which a window counts as flat. */
  readonly epsilon: number;
}

/** Channels of the result: the matte is `red * R + green * G + blue * B + offset`. */
export const COEFFICIENTS = 4;

/** Channels of the moments: colours, matte, colours x matte, colours x colours (upper triangle). */
const MOMENTS = 13;

/**
 * Computes the guided filter with a colour guide: K. He, J. Sun, X. Tang, "Guided Image Filtering", TPAMI 2013,
 * section 3.5. Returns the averaged linear coefficients instead of the filtered matte, so that they can be applied to
 * the guide at full size, as in K. He, J. Sun, "Fast Guided Filter", arXiv:1505.00996.
 * @param guide colours, 0 to 1
 * @param matte of the same size, 0 to 1
 */
export function guidedCoefficients(
  guide: FloatImage,
  matte: FloatImage,
  { radius, epsilon }: GuidedFilterOptions,
): FloatImage {
  const { width, height } = guide;
  const data = new Float32Array(width * height * COEFFICIENTS);
  const moments = { width, height, channels: MOMENTS, read: getMoments(guide, matte) };
  boxMeanRows(moments, radius, (y, means) => {
    const start = y * width * COEFFICIENTS;
    for (let x = 0; x < width; x++) solve(means, x * MOMENTS, epsilon, data, start + x * COEFFICIENTS);
  });
  return boxMean({ width, height, channels: COEFFICIENTS, data }, radius);
}

function getMoments(guide: FloatImage, matte: FloatImage): RowSource['read'] {
  const { width, data } = guide;
  return (y, row) => {
    for (let pixel = y * width, at = 0; at < row.length; pixel++, at += MOMENTS) {
      const r = data[pixel * 3];
      const g = data[pixel * 3 + 1];
      const b = data[pixel * 3 + 2];
      const p = matte.data[pixel];
      row[at] = r;
      row[at + 1] = g;
      row[at + 2] = b;
      row[at + 3] = p;
      row[at + 4] = r * p;
      row[at + 5] = g * p;
      row[at + 6] = b * p;
      row[at + 7] = r * r;
      row[at + 8] = r * g;
      row[at + 9] = r * b;
      row[at + 10] = g * g;
      row[at + 11] = g * b;
      row[at + 12] = b * b;
    }
  };
}

/** Solves (covariance + epsilon) a = covariance with the matte for one window, by cofactors of the symmetric matrix. */
function solve(means: Float32Array, at: number, epsilon: number, into: Float32Array, to: number): void {
  const r = means[at];
  const g = means[at + 1];
  const b = means[at + 2];
  const p = means[at + 3];
  const rp = means[at + 4] - r * p;
  const gp = means[at + 5] - g * p;
  const bp = means[at + 6] - b * p;
  const rr = means[at + 7] - r * r + epsilon;
  const rg = means[at + 8] - r * g;
  const rb = means[at + 9] - r * b;
  const gg = means[at + 10] - g * g + epsilon;
  const gb = means[at + 11] - g * b;
  const bb = means[at + 12] - b * b + epsilon;
  const crr = gg * bb - gb * gb;
  const crg = gb * rb - rg * bb;
  const crb = rg * gb - gg * rb;
  const cgg = rr * bb - rb * rb;
  const cgb = rb * rg - rr * gb;
  const cbb = rr * gg - rg * rg;
  const determinant = rr * crr + rg * crg + rb * crb;
  const red = (crr * rp + crg * gp + crb * bp) / determinant;
  const green = (crg * rp + cgg * gp + cgb * bp) / determinant;
  const blue = (crb * rp + cgb * gp + cbb * bp) / determinant;
  into[to] = red;
  into[to + 1] = green;
  into[to + 2] = blue;
  into[to + 3] = p - red * r - green * g - blue * b;
}

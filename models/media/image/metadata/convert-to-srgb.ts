import type { Raster, Rgba } from '../../../core/runtime/raster.ts';
import {
  invert,
  multiply,
  toGamma,
  toLinear,
  transform,
  XYZ_TO_SRGB,
} from '../../../kernels/colour/xyz-matrix.ts';
import { type MatrixProfile, readMatrixProfile, type ToneCurve } from './read-profile.ts';

/** Fine enough that rounding light to a step moves an 8-bit sample by a quarter at most. */
const STEPS_8 = 16_384;
/** Between these, samples of 16 bits are interpolated, to a tenth of one. */
const STEPS_16 = 32_768;

/**
 * Converts a raster in place from a matrix profile to sRGB, relative colorimetric; colours outside sRGB are clipped.
 * Alpha stays.
 */
export function convertToSrgb({ data }: Raster, profile: MatrixProfile): void {
  const is16Bit = data instanceof Uint16Array;
  const [most, steps] = is16Bit ? [65_535, STEPS_16] : [255, STEPS_8];
  const [red, green, blue] = profile.curves.map((curve) =>
    Float64Array.from({ length: most + 1 }, (_, sample) => curve(sample / most) * steps),
  );
  const matrix = withoutRounding(multiply(XYZ_TO_SRGB, profile.toXyz));
  const [rr, rg, rb, gr, gg, gb, br, bg, bb] = matrix;
  const encode = is16Bit ? interpolating(matrix, steps, most) : rounding(matrix, steps, most);
  for (let at = 0; at < data.length; at += 4) {
    const r = red[data[at]];
    const g = green[data[at + 1]];
    const b = blue[data[at + 2]];
    data[at] = encode(rr * r + rg * g + rb * b);
    data[at + 1] = encode(gr * r + gg * g + gb * b);
    data[at + 2] = encode(br * r + bg * g + bb * b);
  }
}

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
/** A profile holds its primaries in steps of 1/65,536, which three of the others' coefficients enlarge. */
const ROUNDING = 3e-4;

/** Takes primaries that are those of sRGB but for rounding as these: else black of 16 bits would be tinted. */
function withoutRounding(matrix: readonly number[]): readonly number[] {
  return matrix.every((part, at) => Math.abs(part - (IDENTITY[at] ?? 0)) < ROUNDING) ? IDENTITY : matrix;
}

/** Returns the encoded sample of light in steps. */
type Encode = (light: number) => number;

function rounding(matrix: readonly number[], steps: number, most: number): Encode {
  const { samples, zero } = encodingTable(matrix, steps, most);
  const table = Uint8Array.from(samples, Math.round);
  const shift = zero + 0.5;
  return (light) => table[(light + shift) | 0];
}

function interpolating(matrix: readonly number[], steps: number, most: number): Encode {
  const { samples, zero } = encodingTable(matrix, steps, most);
  return (light) => {
    const place = light + zero;
    const below = place | 0;
    const from = samples[below];
    return (from + (samples[below + 1] - from) * (place - below) + 0.5) | 0;
  };
}

/**
 * Builds the table from light in steps to an encoded sample: IEC 61966-2-1, 5.2. It extends as far below 0 and above
 * 1 as the matrix does, so that clipping is free.
 * @returns `zero` is the index of no light
 */
function encodingTable(
  matrix: readonly number[],
  steps: number,
  most: number,
): { samples: Float32Array; zero: number } {
  const reach = Math.max(...matrix.map(Math.abs)) * 3 + 1;
  const zero = Math.ceil(reach * steps);
  const samples = new Float32Array(2 * zero);
  for (let index = 0; index < samples.length; index++) {
    samples[index] = toGamma(Math.min(1, Math.max(0, (index - zero) / steps))) * most;
  }
  return { samples, zero };
}

/** Bisections of a tone curve: enough for 16 bits. */
const BISECTIONS = 20;

/** Expresses a colour of sRGB in the matrix profile of an image; in any other profile it keeps its numbers. */
export function encodeInProfile([r, g, b, alpha]: Rgba, icc: Uint8Array): Rgba {
  const profile = readMatrixProfile(icc);
  const toProfile = profile && invert(multiply(XYZ_TO_SRGB, profile.toXyz));
  if (!profile || !toProfile) return [r, g, b, alpha];
  const [red = 0, green = 0, blue = 0] = transform(toProfile, [r, g, b].map(toLinear));
  const { curves } = profile;
  return [findSample(curves[0], red), findSample(curves[1], green), findSample(curves[2], blue), alpha];
}

/** Finds the sample that means so much light, 0 to 1, on a rising curve. */
function findSample(curve: ToneCurve, light: number): number {
  let [low, high] = [0, 1];
  for (let round = 0; round < BISECTIONS; round++) {
    const middle = (low + high) / 2;
    if (curve(middle) < light) low = middle;
    else high = middle;
  }
  return high > 1 - 2 ** (1 - BISECTIONS) ? 1 : low;
}

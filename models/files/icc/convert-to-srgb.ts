import { multiply, XYZ_TO_SRGB } from '../../kernels/colour/xyz-matrix.ts';
import type { Raster } from '../../runtime/raster.ts';
import type { MatrixProfile } from './read-profile.ts';

/** Fine enough that rounding light to a step moves an 8-bit sample by a quarter at most, a 16-bit one by four. */
const STEPS_8 = 16_384;
const STEPS_16 = 131_072;

/**
 * Converts a raster in place from a matrix profile to sRGB, relative colorimetric; colours outside sRGB are clipped.
 * Alpha stays.
 */
export function convertToSrgb(raster: Raster, profile: MatrixProfile): void {
  const { data } = raster;
  const most = data instanceof Uint16Array ? 65_535 : 255;
  const steps = most === 255 ? STEPS_8 : STEPS_16;
  const [red, green, blue] = profile.curves.map((curve) =>
    Float64Array.from({ length: most + 1 }, (_, sample) => curve(sample / most) * steps),
  ) as [Float64Array, Float64Array, Float64Array];
  const matrix = multiply(XYZ_TO_SRGB, profile.toXyz);
  const [rr, rg, rb, gr, gg, gb, br, bg, bb] = matrix as Nine;
  const { table, zero } = encodingTable(matrix, steps, most);
  const shift = zero + 0.5;
  for (let at = 0; at < data.length; at += 4) {
    const r = red[data[at] as number] as number;
    const g = green[data[at + 1] as number] as number;
    const b = blue[data[at + 2] as number] as number;
    data[at] = table[(rr * r + rg * g + rb * b + shift) | 0] as number;
    data[at + 1] = table[(gr * r + gg * g + gb * b + shift) | 0] as number;
    data[at + 2] = table[(br * r + bg * g + bb * b + shift) | 0] as number;
  }
}

type Nine = [number, number, number, number, number, number, number, number, number];

/**
 * Builds the table from light in steps to an encoded sample: IEC 61966-2-1, 5.2. It extends as far below 0 and above
 * 1 as the matrix does, so that clipping is free.
 * @returns `zero` is the index of no light
 */
function encodingTable(
  matrix: readonly number[],
  steps: number,
  most: number,
): { table: Uint8Array | Uint16Array; zero: number } {
  const reach = Math.max(...matrix.map(Math.abs)) * 3 + 1;
  const zero = Math.ceil(reach * steps);
  const table = new (most === 255 ? Uint8Array : Uint16Array)(2 * zero);
  for (let index = 0; index < table.length; index++) {
    const light = Math.min(1, Math.max(0, (index - zero) / steps));
    const sample = light <= 0.003_130_8 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    table[index] = Math.round(sample * most);
  }
  return { table, zero };
}

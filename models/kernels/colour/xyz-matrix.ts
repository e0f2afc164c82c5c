/** Chromaticity in CIE 1931: x and y. */
export type Chromaticity = readonly [x: number, y: number];

export interface Chromaticities {
  readonly red: Chromaticity;
  readonly green: Chromaticity;
  readonly blue: Chromaticity;
  readonly white: Chromaticity;
}

/** 3 x 3 matrix, row by row. */
export type Matrix = readonly number[];

export type Vector = readonly number[];

/** XYZ of the D50 illuminant: ICC.1:2022, 7.2.16. */
export const D50: Vector = [0.9642, 1, 0.8249];

/** CIE XYZ under D50 to linear sRGB: inverse of the colorants of IEC 61966-2-1, adapted by Bradford to D50. */
export const XYZ_TO_SRGB: Matrix = [
  3.1341864, -1.617209, -0.4906941, -0.9787485, 1.9161301, 0.0334334, 0.0719639, -0.2289939, 1.4057537,
];

/** Cone response of the Bradford adaptation, and its inverse: ICC.1:2022, annex E.3. */
const TO_CONES: Matrix = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296];

const FROM_CONES: Matrix = [
  0.9869929, -0.1470543, 0.1599627, 0.4323053, 0.5183603, 0.0492912, -0.0085287, 0.0400428, 0.9684867,
];

/** Limit on the parts of a matrix. No real set of primaries comes near; crafted ones would need tables without end. */
const LARGEST = 8;
const DETERMINANT_MIN = 1e-9;

/**
 * Returns the matrix from linear samples to CIE XYZ under D50: SMPTE RP 177, adapted by Bradford.
 * @returns null when the primaries span no colours: three points on a line, or a white without light
 */
export function toXyzD50({ red, green, blue, white }: Chromaticities): Matrix | null {
  const columns = [red, green, blue].map(toXyz);
  const primaries = [0, 1, 2].flatMap((row) => columns.map((column) => column[row] ?? 0));
  const inverse = invert(primaries);
  if (!inverse) return null;
  const light = transform(inverse, toXyz(white));
  const samples = multiply(primaries, diagonal(light));
  const from = transform(TO_CONES, toXyz(white));
  const gains = transform(TO_CONES, D50).map((part, at) => part / (from[at] ?? 1));
  const matrix = multiply(multiply(multiply(FROM_CONES, diagonal(gains)), TO_CONES), samples);
  return isBoundedMatrix(matrix) ? matrix : null;
}

/** Reports whether a matrix can be that of real primaries, so that tables made for it stay small. */
export function isBoundedMatrix(matrix: Matrix): boolean {
  return matrix.every((part) => Math.abs(part) < LARGEST);
}

/** Multiplies two matrices. */
export function multiply(left: Matrix, right: Matrix): Matrix {
  return [0, 1, 2].flatMap((row) =>
    [0, 1, 2].map((column) =>
      [0, 1, 2].reduce((sum, at) => sum + (left[row * 3 + at] ?? 0) * (right[at * 3 + column] ?? 0), 0),
    ),
  );
}

/** Multiplies a matrix by a column. */
export function transform(matrix: Matrix, vector: Vector): Vector {
  return [0, 1, 2].map((row) =>
    vector.reduce((sum, part, at) => sum + (matrix[row * 3 + at] ?? 0) * part, 0),
  );
}

/** Returns XYZ of luminance 1; a colour without luminance keeps its direction. */
function toXyz([x, y]: Chromaticity): Vector {
  return y === 0 ? [x, 0, 1 - x] : [x / y, 1, (1 - x - y) / y];
}

function diagonal([first = 0, second = 0, third = 0]: Vector): Matrix {
  return [first, 0, 0, 0, second, 0, 0, 0, third];
}

/** Returns the inverse of a matrix; null where it has none. */
export function invert([
  a = 0,
  b = 0,
  c = 0,
  d = 0,
  e = 0,
  f = 0,
  g = 0,
  h = 0,
  i = 0,
]: Matrix): Matrix | null {
  const [first, second, third] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * first + b * second + c * third;
  if (!(Math.abs(determinant) > DETERMINANT_MIN)) return null;
  return [
    ...[first, c * h - b * i, b * f - c * e],
    ...[second, a * i - c * g, c * d - a * f],
    ...[third, b * g - a * h, a * e - b * d],
  ].map((part) => part / determinant);
}

/** Converts linear light to sRGB's encoding; odd, so that values outside the range stay outside. */
export function toGamma(value: number): number {
  const size = Math.abs(value);
  return size > 0.0031308 ? Math.sign(value) * (1.055 * size ** (1 / 2.4) - 0.055) : 12.92 * value;
}

/** Converts sRGB's encoding to linear light; odd as well. */
export function toLinear(value: number): number {
  const size = Math.abs(value);
  return size > 0.04045 ? Math.sign(value) * ((size + 0.055) / 1.055) ** 2.4 : value / 12.92;
}

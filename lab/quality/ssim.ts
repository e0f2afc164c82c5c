import type { Raster8 } from '../../models/core/runtime/raster.ts';

/** One number per pixel, 0 to 255, such as luma by BT.601. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

const RADIUS = 5;
const SIGMA = 1.5;
const STABILISERS = { mean: (0.01 * 255) ** 2, contrast: (0.03 * 255) ** 2 };
const WINDOW = gaussianWindow();

export function lumaOf(raster: Raster8): Luma {
  return weigh(raster, [0.299, 0.587, 0.114], 0);
}

/** Returns the chroma of an image by BT.601, each as one number per pixel: blue and red difference. */
function chromaOf(raster: Raster8): readonly [Luma, Luma] {
  return [
    weigh(raster, [-0.168_736, -0.331_264, 0.5], 128),
    weigh(raster, [0.5, -0.418_688, -0.081_312], 128),
  ];
}

function weigh(
  { width, height, data }: Raster8,
  [red, green, blue]: readonly [number, number, number],
  black: number,
): Luma {
  const sums = new Float32Array(width * height);
  for (let at = 0, from = 0; at < sums.length; at++, from += 4) {
    sums[at] = black + red * data[from] + green * data[from + 1] + blue * data[from + 2];
  }
  return { width, height, data: sums };
}

/** Similarity of two images, 1 for equal ones. */
export interface Similarity {
  readonly luma: number;
  /** Luma and chroma by the weights of video coding: six parts and one of each (ITU-T HSTP-VID-WPOM, 2020). */
  readonly colour: number;
}

/** Computes the structural similarity of luma, and of all three planes. */
export function compareColours(one: Raster8, other: Raster8): Similarity {
  const luma = structuralSimilarity(lumaOf(one), lumaOf(other));
  const [blue, red] = chromaOf(one);
  const [otherBlue, otherRed] = chromaOf(other);
  const chroma = structuralSimilarity(blue, otherBlue) + structuralSimilarity(red, otherRed);
  return { luma, colour: (6 * luma + chroma) / 8 };
}

/**
 * Computes the mean structural similarity in a Gaussian window of 11 x 11 samples, where the window is inside the
 * image: Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to structural similarity",
 * 2004.
 * @returns 1 for equal images, less for greater differences
 * @throws RangeError when the sizes differ or a side is under 11
 */
export function structuralSimilarity(one: Luma, other: Luma): number {
  const { width, height } = one;
  if (width !== other.width || height !== other.height || Math.min(width, height) <= 2 * RADIUS) {
    throw new RangeError('the images must have one size, of 11 samples a side or more');
  }
  const blurred = (data: Float32Array) => blur({ width, height, data });
  const [meansX, meansY] = [blurred(one.data), blurred(other.data)];
  const squaresX = blurred(one.data.map((value) => value * value));
  const squaresY = blurred(other.data.map((value) => value * value));
  const products = blurred(one.data.map((value, at) => value * other.data[at]));
  let sum = 0;
  for (let at = 0; at < products.length; at++) {
    const [x, y] = [meansX[at], meansY[at]];
    const variances = squaresX[at] - x * x + squaresY[at] - y * y;
    const covariance = products[at] - x * y;
    sum +=
      ((2 * x * y + STABILISERS.mean) * (2 * covariance + STABILISERS.contrast)) /
      ((x * x + y * y + STABILISERS.mean) * (variances + STABILISERS.contrast));
  }
  return sum / products.length;
}

function gaussianWindow(): Float64Array {
  const weights = Float64Array.from({ length: 2 * RADIUS + 1 }, (_, at) =>
    Math.exp(-((at - RADIUS) ** 2) / (2 * SIGMA ** 2)),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Blurs rows, then columns; only where the window is inside, so each side loses 10 samples. */
function blur({ width, height, data }: Luma): Float32Array {
  const innerWidth = width - 2 * RADIUS;
  const innerHeight = height - 2 * RADIUS;
  const rows = new Float32Array(innerWidth * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < innerWidth; x++) {
      rows[y * innerWidth + x] = weighted(data, y * width + x, 1);
    }
  }
  const blurred = new Float32Array(innerWidth * innerHeight);
  for (let at = 0; at < blurred.length; at++) blurred[at] = weighted(rows, at, innerWidth);
  return blurred;
}

function weighted(data: Float32Array, start: number, step: number): number {
  let sum = 0;
  for (let tap = 0; tap <= 2 * RADIUS; tap++) {
    sum += WINDOW[tap] * data[start + tap * step];
  }
  return sum;
}

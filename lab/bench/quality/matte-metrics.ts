import type { FloatImage } from '../../../models/core/runtime/raster.ts';

/** Figures of a matte against the truth; both have one channel, 0 to 1, and the same size. */
export interface MatteFigures {
  /** Intersection over union above 0.5; 1 where both are empty. */
  readonly iou: number;
  /** See `structureMeasure`. */
  readonly structure: number;
  /** See `boundaryF`. */
  readonly boundary: number;
  /** Mean absolute difference. */
  readonly mae: number;
  /** Mean squared difference. */
  readonly mse: number;
  /** Sum of absolute differences, in thousands of pixels. */
  readonly sad: number;
}

export const FIGURES = ['iou', 'structure', 'boundary', 'mae', 'mse', 'sad'] as const;

export function matteFigures(matte: FloatImage, truth: FloatImage): MatteFigures {
  const places = truth.data.length;
  let absolute = 0;
  let squared = 0;
  let both = 0;
  let either = 0;
  for (let place = 0; place < places; place++) {
    const found = matte.data[place];
    const wanted = truth.data[place];
    const wrong = Math.abs(found - wanted);
    absolute += wrong;
    squared += wrong * wrong;
    both += found > 0.5 && wanted > 0.5 ? 1 : 0;
    either += found > 0.5 || wanted > 0.5 ? 1 : 0;
  }
  return {
    iou: either === 0 ? 1 : both / either,
    structure: structureMeasure(matte, truth),
    boundary: boundaryF(matte, truth),
    mae: absolute / places,
    mse: squared / places,
    sad: absolute / 1000,
  };
}

/** Tolerance for a point of an outline, as a share of the diagonal. */
const BOUNDARY_REACH = 0.008;

/**
 * Computes the F-measure of the outlines at 0.5: F. Perazzi et al., "A Benchmark Dataset and Evaluation Methodology
 * for Video Object Segmentation" (DAVIS), CVPR 2016. 1 where neither has an outline, 0 where only one has.
 */
export function boundaryF(matte: FloatImage, truth: FloatImage): number {
  const reach = Math.max(1, Math.round(BOUNDARY_REACH * Math.hypot(truth.width, truth.height)));
  const [found, wanted] = [outlineOf(matte), outlineOf(truth)];
  if (found.length === 0 || wanted.length === 0) return found.length === wanted.length ? 1 : 0;
  const precision = shareWithin(found, widened(wanted, truth, reach));
  const recall = shareWithin(wanted, widened(found, truth, reach));
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** Marks pixels that differ from the one to the right, below, or both. */
function outlineOf({ width, height, data }: FloatImage): number[] {
  const isIn = (x: number, y: number) => data[y * width + x] > 0.5;
  const outline: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [right, below] = [Math.min(x + 1, width - 1), Math.min(y + 1, height - 1)];
      const own = isIn(x, y);
      if (own !== isIn(right, y) || own !== isIn(x, below) || own !== isIn(right, below)) {
        outline.push(y * width + x);
      }
    }
  }
  return outline;
}

/** Marks all pixels within a disc around the given ones. */
function widened(places: readonly number[], { width, height }: FloatImage, reach: number): Uint8Array {
  const near = new Uint8Array(width * height);
  for (const place of places) {
    const [x, y] = [place % width, Math.floor(place / width)];
    for (let down = -Math.min(reach, y); down <= Math.min(reach, height - 1 - y); down++) {
      const half = Math.floor(Math.sqrt(reach * reach - down * down));
      const start = (y + down) * width;
      near.fill(1, start + Math.max(0, x - half), start + Math.min(width - 1, x + half) + 1);
    }
  }
  return near;
}

const shareWithin = (places: readonly number[], near: Uint8Array): number =>
  places.reduce((count, place) => count + near[place], 0) / places.length;

/**
 * Computes the structure measure: half object similarity of subject and background, half region similarity of the
 * four parts around the subject's centre: D.-P. Fan et al., "Structure-measure: A New Way to Evaluate Foreground
 * Maps", ICCV 2017, with alpha 0.5. 0 to 1.
 */
export function structureMeasure(matte: FloatImage, truth: FloatImage): number {
  const { width, height } = truth;
  const binary = Float32Array.from(truth.data, (value) => (value > 0.5 ? 1 : 0));
  const share = binary.reduce((sum, value) => sum + value, 0) / binary.length;
  const mean = matte.data.reduce((sum, value) => sum + value, 0) / matte.data.length;
  if (share === 0 || share === 1) return share === 0 ? 1 - mean : mean;
  const objects =
    share * objectLikeness(matte.data, binary, 1) + (1 - share) * objectLikeness(matte.data, binary, 0);
  const [x, y] = centreOf(binary, width);
  const parts = [
    [0, 0, x, y],
    [x, 0, width, y],
    [0, y, x, height],
    [x, y, width, height],
  ] as const;
  const regions = parts.reduce((sum, part) => sum + regionLikeness(matte.data, binary, width, part), 0);
  return Math.max(0, 0.5 * objects + 0.5 * (regions / binary.length));
}

/** Rates how high and even the matte is over the pixels whose truth is `side`; for the background, its complement. */
function objectLikeness(matte: Float32Array, binary: Float32Array, side: 0 | 1): number {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let place = 0; place < matte.length; place++) {
    if (binary[place] !== side) continue;
    const value = side === 1 ? matte[place] : 1 - matte[place];
    count += 1;
    sum += value;
    squares += value * value;
  }
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  return (2 * mean) / (mean * mean + 1 + deviation);
}

/** Returns the pixel right of and below the subject's centroid. */
function centreOf(binary: Float32Array, width: number): [x: number, y: number] {
  let count = 0;
  let [sumX, sumY] = [0, 0];
  for (let place = 0; place < binary.length; place++) {
    if (binary[place] === 0) continue;
    count += 1;
    sumX += place % width;
    sumY += Math.floor(place / width);
  }
  return [Math.round(sumX / count) + 1, Math.round(sumY / count) + 1];
}

/** Computes SSIM without its constants over one part, times the number of its pixels. */
function regionLikeness(
  matte: Float32Array,
  binary: Float32Array,
  width: number,
  [left, top, right, bottom]: readonly [number, number, number, number],
): number {
  const places = (right - left) * (bottom - top);
  if (places === 0) return 0;
  const sums = { found: 0, wanted: 0, foundSquared: 0, wantedSquared: 0, both: 0 };
  for (let y = top; y < bottom; y++) {
    for (let place = y * width + left; place < y * width + right; place++) {
      const [found, wanted] = [matte[place], binary[place]];
      sums.found += found;
      sums.wanted += wanted;
      sums.foundSquared += found * found;
      sums.wantedSquared += wanted * wanted;
      sums.both += found * wanted;
    }
  }
  const [found, wanted] = [sums.found / places, sums.wanted / places];
  const rest = Math.max(1, places - 1);
  const foundVariance = (sums.foundSquared - places * found * found) / rest;
  const wantedVariance = (sums.wantedSquared - places * wanted * wanted) / rest;
  const covariance = (sums.both - places * found * wanted) / rest;
  const above = 4 * found * wanted * covariance;
  const below = (found * found + wanted * wanted) * (foundVariance + wantedVariance);
  const isNothing = Math.abs(above) < 1e-12;
  const likeness = isNothing ? (below < 1e-12 ? 1 : 0) : above / below;
  return likeness * places;
}

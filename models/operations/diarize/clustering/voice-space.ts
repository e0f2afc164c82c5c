import type { Points } from './agglomerate.ts';

/** Windows whose middles are closer are averaged: the nearer, the more they count. In seconds. */
const NEAR_SECONDS = 1;
/** Share of the recording's mean embedding that is taken away. */
const MEAN_SHARE = 0.9;

/**
 * Averages the embedding of each window with those of the windows next to it, which mostly have the same speaker: what
 * a window says differs from the next one's, who says it does not.
 * @param embeddings of windows in order
 * @param middles of the windows, in seconds
 * @returns vectors of length 1
 */
export function averageNeighbours({ dimensions, values }: Points, middles: readonly number[]): Points {
  const averaged = new Float32Array(values.length);
  for (let window = 0, from = 0; window < middles.length; window++) {
    const middle = middles[window];
    while (middle - middles[from] >= NEAR_SECONDS) from += 1;
    for (let near = from; near < middles.length; near++) {
      const weight = 1 - Math.abs(middles[near] - middle) / NEAR_SECONDS;
      if (weight <= 0) break;
      addScaled(averaged, window * dimensions, values.subarray(near * dimensions), weight, dimensions);
    }
  }
  return { dimensions, values: scaleToLengthOne(averaged, dimensions) };
}

/**
 * Takes away most of what all windows of a recording share, such as its room and its noise: what is left tells its
 * speakers apart.
 * @returns vectors of length 1
 */
export function subtractMean({ dimensions, values }: Points): Points {
  const count = values.length / dimensions;
  const mean = new Float32Array(dimensions);
  for (let point = 0; point < count; point++) {
    addScaled(mean, 0, values.subarray(point * dimensions), 1 / count, dimensions);
  }
  const rest = values.slice();
  for (let point = 0; point < count; point++) {
    addScaled(rest, point * dimensions, mean, -MEAN_SHARE, dimensions);
  }
  return { dimensions, values: scaleToLengthOne(rest, dimensions) };
}

function addScaled(
  target: Float32Array,
  from: number,
  added: Float32Array,
  weight: number,
  length: number,
): void {
  for (let at = 0; at < length; at++) {
    target[from + at] = target[from + at] + weight * added[at];
  }
}

function scaleToLengthOne(values: Float32Array, dimensions: number): Float32Array {
  for (let from = 0; from < values.length; from += dimensions) {
    const vector = values.subarray(from, from + dimensions);
    const length = Math.hypot(...vector) || 1;
    for (let at = 0; at < dimensions; at++) vector[at] = vector[at] / length;
  }
  return values;
}

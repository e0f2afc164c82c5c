import type { Points } from './agglomerate.ts';

/** Points that are clustered: the memory grows with their square. */
const POINTS_MAX = 2000;

/** Returns the indices of at most 2000 of so many points, evenly spread. */
export function sampleEvenly(count: number): number[] {
  const length = Math.min(count, POINTS_MAX);
  return Array.from({ length }, (_, at) => Math.floor((at * count) / length));
}

export function pointsAt({ dimensions, values }: Points, indices: readonly number[]): Points {
  const picked = new Float32Array(indices.length * dimensions);
  indices.forEach((point, at) => {
    picked.set(values.subarray(point * dimensions, (point + 1) * dimensions), at * dimensions);
  });
  return { dimensions, values: picked };
}

/**
 * Finds a stretch of samples that two decoded parts share.
 * @param tail last samples of the earlier part
 * @param samples later part
 * @param expected index in `samples` at which `tail` is expected to begin
 * @param range samples by which the true index may differ
 * @returns index of the smallest sum of absolute differences; the nearest to `expected` of several
 */
export function findOverlap(
  tail: Float32Array,
  samples: Float32Array,
  expected: number,
  range: number,
): number {
  const last = samples.length - tail.length;
  let [best, bestSum] = [Math.max(0, Math.min(expected, last)), Number.POSITIVE_INFINITY];
  for (let turn = 0; turn <= 2 * range; turn++) {
    const index = expected + (turn % 2 === 0 ? -turn / 2 : (turn + 1) / 2);
    if (index < 0 || index > last) continue;
    const sum = difference(tail, samples, index, bestSum);
    if (sum < bestSum) [best, bestSum] = [index, sum];
  }
  return best;
}

/** Adds up differences until they reach `sumMax`. */
function difference(tail: Float32Array, samples: Float32Array, index: number, sumMax: number): number {
  let sum = 0;
  for (let at = 0; at < tail.length && sum < sumMax; at++) {
    sum += Math.abs(tail[at] - samples[index + at]);
  }
  return sum;
}

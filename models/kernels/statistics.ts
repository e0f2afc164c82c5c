export function getMean(values: Float64Array | readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Returns the median, 0 of none. @param middle value that counts of an even number */
export function getMedian(
  values: Float64Array | readonly number[],
  middle: 'lower' | 'upper' = 'upper',
): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[(sorted.length - (middle === 'lower' ? 1 : 0)) >> 1] ?? 0;
}

/**
 * Returns Pearson's correlation of two series of one length.
 * @param ofConstant what it is where a series is constant
 */
export function correlation<Series extends Float64Array | readonly number[]>(
  one: Series,
  other: Series,
  ofConstant: number,
): number {
  const [oneMean, otherMean] = [getMean(one), getMean(other)];
  let [product, oneSquares, otherSquares] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    const [x, y] = [one[at] - oneMean, other[at] - otherMean];
    product += x * y;
    oneSquares += x * x;
    otherSquares += y * y;
  }
  return oneSquares > 0 && otherSquares > 0 ? product / Math.sqrt(oneSquares * otherSquares) : ofConstant;
}

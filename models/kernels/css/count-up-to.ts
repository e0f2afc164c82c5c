/**
 * Counts the numbers that are at most a value, by binary search.
 * @param ascending sorted numbers
 */
export function countUpTo(ascending: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

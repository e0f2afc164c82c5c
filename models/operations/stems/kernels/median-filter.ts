/** Rows of numbers, one after another. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

/**
 * Returns the median of each number and its neighbours along a row; beyond the ends, the ends repeat. @param reach
 * neighbours on either side
 */
export function medianAlongRows(grid: Grid, reach: number): Float32Array {
  return medianAlong(grid, reach, { lines: grid.rows, length: grid.columns, line: grid.columns, step: 1 });
}

/** Returns the median of each number and its neighbours in the rows before and after it. */
export function medianAlongColumns(grid: Grid, reach: number): Float32Array {
  return medianAlong(grid, reach, { lines: grid.columns, length: grid.rows, line: 1, step: grid.columns });
}

interface Walk {
  readonly lines: number;
  readonly length: number;
  /** Distances in the values from one line to the next, and along a line. */
  readonly line: number;
  readonly step: number;
}

/** Keeps the window sorted: the oldest number leaves and the newest one enters by binary search. */
function medianAlong({ values }: Grid, reach: number, { lines, length, line, step }: Walk): Float32Array {
  const medians = new Float32Array(values.length);
  const size = 2 * reach + 1;
  const sorted = new Float32Array(size);
  for (let number = 0; number < lines; number++) {
    const base = number * line;
    const valueAt = (at: number) => values[base + Math.min(length - 1, Math.max(0, at)) * step];
    for (let at = 0; at < size; at++) sorted[at] = valueAt(at - reach);
    sorted.sort();
    medians[base] = sorted[reach];
    for (let at = 1; at < length; at++) {
      replace(sorted, valueAt(at - reach - 1), valueAt(at + reach));
      medians[base + at * step] = sorted[reach];
    }
  }
  return medians;
}

/** Replaces a number of a sorted list by another one. */
function replace(sorted: Float32Array, old: number, fresh: number): void {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < old) low = middle + 1;
    else high = middle;
  }
  let at = low;
  for (; at + 1 < sorted.length && sorted[at + 1] < fresh; at++) sorted[at] = sorted[at + 1];
  for (; at > 0 && sorted[at - 1] > fresh; at--) sorted[at] = sorted[at - 1];
  sorted[at] = fresh;
}

import type { Grid } from './kernels/median-filter.ts';

/** Frames that a frame is compared with, and how far apart they have to be: 0.5 s. */
const ALIKE = 9;
const DISTANCE_MIN = 22;
/** Bins of one band of the comparison. */
const BAND = 16;
const BANDS = 48;

/**
 * Returns the power of what repeats: at each bin the median over the frames that sound most alike, after Z. Rafii and
 * B. Pardo, "Music/voice separation using the similarity matrix" (ISMIR, 2012).
 * @param grid amplitudes, a row for each frame
 */
export function repeatingPowers(grid: Grid): Float32Array {
  const { rows, columns, values } = grid;
  const bands = unitBands(grid);
  const powers = new Float32Array(values.length);
  const column = new Float32Array(ALIKE);
  for (let row = 0; row < rows; row++) {
    const alike = mostAlike(bands, rows, row);
    const sorted = column.subarray(0, alike.length);
    for (let bin = 0; bin < columns; bin++) {
      alike.forEach((other, at) => {
        sorted[at] = values[other * columns + bin];
      });
      sorted.sort();
      powers[row * columns + bin] = sorted[sorted.length >> 1] ** 2;
    }
  }
  return powers;
}

/** Returns coarse spectra of length 1, rows x BANDS. */
function unitBands({ rows, columns, values }: Grid): Float32Array {
  const bands = new Float32Array(rows * BANDS);
  for (let row = 0; row < rows; row++) {
    let power = 0;
    for (let band = 0; band < BANDS; band++) {
      let sum = 0;
      for (let at = 0; at < BAND; at++) sum += values[row * columns + band * BAND + at];
      bands[row * BANDS + band] = sum;
      power += sum * sum;
    }
    const scale = 1 / (Math.sqrt(power) + 1e-12);
    for (let band = 0; band < BANDS; band++) {
      bands[row * BANDS + band] = bands[row * BANDS + band] * scale;
    }
  }
  return bands;
}

/** Returns the frame itself and those that are most like it, none near another one. */
function mostAlike(bands: Float32Array, rows: number, row: number): number[] {
  const likeness = Float32Array.from({ length: rows }, (_, other) => {
    let sum = 0;
    for (let band = 0; band < BANDS; band++) {
      sum += bands[row * BANDS + band] * bands[other * BANDS + band];
    }
    return sum;
  });
  const chosen: number[] = [row];
  const forbid = (at: number) => likeness.fill(-1, Math.max(0, at - DISTANCE_MIN), at + DISTANCE_MIN + 1);
  forbid(row);
  while (chosen.length < ALIKE) {
    let best = 0;
    for (let at = 1; at < rows; at++) if (likeness[at] > likeness[best]) best = at;
    if (likeness[best] < 0) break;
    chosen.push(best);
    forbid(best);
  }
  return chosen;
}

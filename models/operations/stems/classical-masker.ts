import type { Masker } from './masked-stems.ts';
import { STEM_RATE } from './stems.ts';
import { binCount, type StereoFrame } from './stft.ts';
import type { Masks } from './wiener.ts';

/** Rows of numbers, one after another. */
interface Grid {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

interface Walk {
  readonly lines: number;
  readonly length: number;
  /** Distances in the values from one line to the next, and along a line. */
  readonly line: number;
  readonly step: number;
}

/** Frames that a frame is compared with, and how far apart they have to be: 0.5 s. */
const ALIKE = 9;

const DISTANCE_MIN = 22;

/** Bins of one band of the comparison. */
const BAND = 16;

const BANDS = 48;

const SHAPE = { window: 4096, hop: 1024 };

const BINS = binCount(SHAPE);

const HERTZ = STEM_RATE / SHAPE.window;

const FRAMES = 384;

const OVERLAP = 64;

/** Neighbours of a median: 0.4 s along time, 180 Hz along frequency. */
const TIME_REACH = 8;

const FREQUENCY_REACH = 8;

/** Voices have little below, in Hz; a bass has little above. */
const VOICE_HERTZ_MIN = 110;

const BASS_HERTZ_MAX = 260;

/** Power of the likeness of both channels that counts as centre. */
const CENTRE_SHARPNESS = 4;

/**
 * Masks without a model. Drums are what lasts long in frequency and not in time: median filters, after D. FitzGerald,
 * "Harmonic/percussive separation using median filtering" (DAFx, 2010). Vocals are what lies in the centre between the
 * channels, after C. Avendano, "Frequency-domain source identification and manipulation in stereo mixes" (WASPAA,
 * 2003), and does not repeat, after Z. Rafii and B. Pardo, "Music/voice separation using the similarity matrix" (ISMIR,
 * 2012). The bass is the steady sound of the lowest partials.
 */
export class ClassicalMasker implements Masker {
  readonly shape = SHAPE;
  readonly frames = FRAMES;
  readonly overlap = OVERLAP;

  masks(segment: readonly StereoFrame[]): Masks {
    const amplitudes = getAmplitudes(segment);
    const grid = { rows: segment.length, columns: BINS, values: amplitudes };
    const steady = medianAlongColumns(grid, TIME_REACH);
    const sudden = medianAlongRows(grid, FREQUENCY_REACH);
    const repeating = repeatingPowers(grid);
    const four = Array.from({ length: 4 }, () => new Float32Array(amplitudes.length));
    segment.forEach((frame, at) => {
      for (let bin = 0; bin < BINS; bin++) {
        const place = at * BINS + bin;
        const [harmonic, percussive] = [steady[place] ** 2, sudden[place] ** 2];
        const drums = percussive / (harmonic + percussive + 1e-12);
        const hertz = bin * HERTZ;
        const bass = (1 - drums) * below(hertz, BASS_HERTZ_MAX);
        const rest = 1 - drums - bass;
        const power = amplitudes[place] ** 2 + 1e-12;
        const isNew = 1 - Math.min(1, repeating[place] / power);
        const vocals = rest * centre(frame, bin) * isNew * (1 - below(hertz, VOICE_HERTZ_MIN));
        const [v, d, b, o] = four;
        v[place] = vocals;
        d[place] = drums;
        b[place] = bass;
        o[place] = rest - vocals;
      }
    });
    return four;
  }
}

/** Returns 1 below a frequency, falling to 0 within an octave above. */
function below(hertz: number, edge: number): number {
  return Math.min(1, Math.max(0, 2 - hertz / edge));
}

/** Returns how alike both channels are at a bin: 1 in the centre, 0 on either side. */
function centre(frame: StereoFrame, bin: number): number {
  const [leftRe, leftIm] = [frame[bin], frame[BINS + bin]];
  const [rightRe, rightIm] = [frame[2 * BINS + bin], frame[3 * BINS + bin]];
  const both = leftRe ** 2 + leftIm ** 2 + rightRe ** 2 + rightIm ** 2;
  const likeness = (2 * (leftRe * rightRe + leftIm * rightIm)) / (both + 1e-12);
  return Math.max(0, likeness) ** CENTRE_SHARPNESS;
}

function getAmplitudes(segment: readonly StereoFrame[]): Float32Array {
  const amplitudes = new Float32Array(segment.length * BINS);
  segment.forEach((frame, at) => {
    for (let bin = 0; bin < BINS; bin++) {
      const left = frame[bin] ** 2 + frame[BINS + bin] ** 2;
      const right = frame[2 * BINS + bin] ** 2 + frame[3 * BINS + bin] ** 2;
      amplitudes[at * BINS + bin] = Math.sqrt((left + right) / 2);
    }
  });
  return amplitudes;
}

/**
 * Returns the power of what repeats: at each bin the median over the frames that sound most alike, after Z. Rafii and
 * B. Pardo, "Music/voice separation using the similarity matrix" (ISMIR, 2012).
 * @param grid amplitudes, a row for each frame
 */
function repeatingPowers(grid: Grid): Float32Array {
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

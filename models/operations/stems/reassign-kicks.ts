/** Masks over rows of frequency, and the powers that they divide. */
export interface MaskedRows {
  readonly frames: number;
  readonly rows: number;
  /** Power of the mixture, frames x rows. */
  readonly powers: Float32Array;
  /** Share of each source, sources x frames x rows. */
  readonly masks: Float32Array;
}

/** Places among the sources. */
const DRUMS = 1;
const BASS = 2;
/** Rows below 65 Hz, those up to 650 Hz, where a bass has its harmonics, and those above 2 kHz. */
const LOW_END = 6;
const HARMONICS_END = 60;
const HIGH_START = 186;
/** Correlation of onsets up to which they are not one instrument's for certain, and from which they are. */
const APART = 0.2;
const TOGETHER = 0.4;
/** Median of a power over its mean, up to which it comes in bursts for certain, and from which it lasts. */
const BURSTS = 0.1;
const LASTING = 0.2;
/** Share of the drums above 2 kHz up to which no drums play, and from which they do. */
const NO_DRUMS = 0.4;
const ALL_DRUMS = 0.6;

/**
 * Gives the deepest sound that counts as bass to the drums where it is that of a kick drum: where drums play, it comes
 * in bursts, and begins at other times than the bass above it, whose fundamental it would be. The network takes kicks
 * below 60 Hz for bass. Changes the masks in place; their sum stays.
 */
export function reassignKicks({ frames, rows, powers, masks }: MaskedRows): void {
  const start = (source: number, frame: number) => (source * frames + frame) * rows;
  const low = powersIn(BASS, 0, LOW_END);
  const harmonics = powersIn(BASS, LOW_END, HARMONICS_END);
  const certainty =
    ramp(correlation(onsetsOf(low), onsetsOf(harmonics)), TOGETHER, APART) *
    ramp(medianOf(low) / (meanOf(low) || 1), LASTING, BURSTS) *
    ramp(drumsAbove2kHz(), NO_DRUMS, ALL_DRUMS);
  for (let frame = 0; frame < frames; frame++) {
    const [drums, bass] = [start(DRUMS, frame), start(BASS, frame)];
    for (let row = 0; row < LOW_END; row++) {
      const moved = certainty * masks[bass + row];
      masks[bass + row] = masks[bass + row] - moved;
      masks[drums + row] = masks[drums + row] + moved;
    }
  }

  /** Returns a source's power in rows, for each frame. */
  function powersIn(source: number, first: number, end: number): Float64Array {
    return Float64Array.from({ length: frames }, (_, frame) => {
      let sum = 0;
      for (let row = first; row < end; row++) {
        sum += masks[start(source, frame) + row] * powers[frame * rows + row];
      }
      return sum;
    });
  }

  function drumsAbove2kHz(): number {
    let whole = 0;
    for (let frame = 0; frame < frames; frame++) {
      for (let row = HIGH_START; row < rows; row++) whole += powers[frame * rows + row];
    }
    return whole > 0 ? (meanOf(powersIn(DRUMS, HIGH_START, rows)) * frames) / whole : 0;
  }
}

/** Returns how far a value is from one bound to another, from 0 to 1. */
function ramp(value: number, zero: number, one: number): number {
  return Math.min(1, Math.max(0, (value - zero) / (one - zero)));
}

/** Returns the rises of amplitude from frame to frame. */
function onsetsOf(powers: Float64Array): Float64Array {
  return powers.map((power, at) => Math.max(0, Math.sqrt(power) - Math.sqrt(powers[Math.max(0, at - 1)])));
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function medianOf(values: Float64Array): number {
  return values.toSorted()[Math.floor(values.length / 2)];
}

/** Returns Pearson's correlation; 1 where a series is constant. */
function correlation(one: Float64Array, other: Float64Array): number {
  const [oneMean, otherMean] = [meanOf(one), meanOf(other)];
  let [product, oneSquares, otherSquares] = [0, 0, 0];
  one.forEach((value, at) => {
    const [x, y] = [value - oneMean, other[at] - otherMean];
    product += x * y;
    oneSquares += x * x;
    otherSquares += y * y;
  });
  return oneSquares > 0 && otherSquares > 0 ? product / Math.sqrt(oneSquares * otherSquares) : 1;
}

import { modelMismatch } from '../../core/inference/model-errors.ts';
import { SessionRunner } from '../../core/inference/sessions.ts';
import { getFloats } from '../../core/runtime/tensor.ts';
import { correlation, getMean, getMedian } from '../../kernels/statistics.ts';
import type { Masker } from './masked-stems.ts';
import { binCount, type StereoFrame } from './stft.ts';
import { AUDIO_SEPARATE_STEMS_WEIGHTS } from './weights.ts';
import type { Masks } from './wiener.ts';

/** Masks over rows of frequency, and the powers that they divide. */
interface MaskedRows {
  readonly frames: number;
  readonly rows: number;
  /** Power of the mixture, frames x rows. */
  readonly powers: Float32Array;
  /** Share of each source, sources x frames x rows. */
  readonly masks: Float32Array;
}

/** Places among the sources. */
const VOCALS = 0;

const DRUMS = 1;

const BASS = 2;

const OTHER = 3;

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

/** Frames before and after a frame in which a voice is looked for: 1.5 s each. */
const VOICE_REACH = 64;

/**
 * Mean of the vocals' mask over their own power up to which no one sings, and from which someone does. On the last 30 s of
 * songs it is 0 to 0.4 without a voice and 0.9 or more with one.
 */
const UNSUNG = 0.45;

const SUNG = 0.65;

export const STEMS_CARD = AUDIO_SEPARATE_STEMS_WEIGHTS.stems;

/** As `lab/training/stems/spectra.py` has them. */
const SHAPE = { window: 4096, hop: 1024 };

const BINS = binCount(SHAPE);

const ROWS = 384;

const FINE = 200;

const GROWTH = 0.019727;

const LOOKS = [1 / 6, 3 / 6, 5 / 6];

const FRAMES = 256;

const OVERLAP = 64;

/** Vocals, drums, bass, other. */
const SOURCES = 4;

/** Borders of the rows, in bins. */
const EDGES = Float64Array.from({ length: ROWS + 1 }, (_, at) =>
  at <= FINE ? at : FINE + Math.expm1((at - FINE) * GROWTH) / GROWTH,
);

/** Three bins of each row, which the network sees. */
const SEEN = Array.from({ length: ROWS }, (_, row) =>
  LOOKS.map((look) => {
    const [low, high] = [EDGES[row], EDGES[row + 1]];
    return Math.min(BINS - 1, Math.floor(low + look * (high - low)));
  }),
);

/** Row of each bin, between two rows where it has a fraction. */
const ROW_OF_BIN = Float64Array.from({ length: BINS }, (_, bin) => {
  const row = bin + 0.5 <= FINE ? bin + 0.5 : FINE + Math.log1p((bin + 0.5 - FINE) * GROWTH) / GROWTH;
  return Math.min(ROWS - 1, Math.max(0, row - 0.5));
});

/** Masks by the network that ships with the product: a U-Net over the powers of mid and side. */
export class NetworkMasker extends SessionRunner implements Masker {
  readonly shape = SHAPE;
  readonly frames = FRAMES;
  readonly overlap = OVERLAP;

  /** @throws OperationError `unavailable` when the model is another one */
  async masks(segment: readonly StereoFrame[]): Promise<Masks> {
    const data = getPowers(segment);
    const powers = { type: 'float32', dims: [1, 2, FRAMES, ROWS], data } as const;
    const outputs = await this.run({ powers });
    const { masks } = outputs;
    if (masks?.data.length !== SOURCES * FRAMES * ROWS) throw modelMismatch(STEMS_CARD, 'separate stems');
    const values = getFloats(masks);
    const mid = data.subarray(0, FRAMES * ROWS);
    const masked = { frames: FRAMES, rows: ROWS, powers: mid, masks: values };
    reassignKicks(masked);
    clearUnsung(masked);
    return withRemainder(Array.from({ length: SOURCES - 1 }, (_, source) => overBins(values, source)));
  }
}

/** Returns the powers of mid and side in each row, 2 x frames x rows. */
function getPowers(segment: readonly StereoFrame[]): Float32Array<ArrayBuffer> {
  const powers = new Float32Array(2 * FRAMES * ROWS);
  segment.forEach((frame, at) => {
    for (let row = 0; row < ROWS; row++) {
      let mid = 0;
      let side = 0;
      for (const bin of SEEN[row]) {
        const [leftRe, leftIm] = [frame[bin], frame[BINS + bin]];
        const [rightRe, rightIm] = [frame[2 * BINS + bin], frame[3 * BINS + bin]];
        mid += (leftRe + rightRe) ** 2 + (leftIm + rightIm) ** 2;
        side += (leftRe - rightRe) ** 2 + (leftIm - rightIm) ** 2;
      }
      powers[at * ROWS + row] = mid / (4 * LOOKS.length);
      powers[(FRAMES + at) * ROWS + row] = side / (4 * LOOKS.length);
    }
  });
  return powers;
}

/** Returns the mask of a source over bins, between the rows' values. */
function overBins(masks: Float32Array, source: number): Float32Array {
  const mask = new Float32Array(FRAMES * BINS);
  for (let at = 0; at < FRAMES; at++) {
    const base = (source * FRAMES + at) * ROWS;
    for (let bin = 0; bin < BINS; bin++) {
      const place = ROW_OF_BIN[bin];
      const row = Math.min(ROWS - 2, Math.floor(place));
      const [low, high] = [masks[base + row], masks[base + row + 1]];
      mask[at * BINS + bin] = low + (high - low) * (place - row);
    }
  }
  return mask;
}

/** Appends the mask of all that the others leave. */
function withRemainder(masks: readonly Float32Array[]): Masks {
  const rest = new Float32Array(FRAMES * BINS).fill(1);
  for (const mask of masks) {
    for (let at = 0; at < rest.length; at++) {
      rest[at] = Math.max(0, rest[at] - mask[at]);
    }
  }
  return [...masks, rest];
}

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
    ramp(correlation(getOnsets(low), getOnsets(harmonics), 1), TOGETHER, APART) *
    ramp(getMedian(low) / (getMean(low) || 1), LASTING, BURSTS) *
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
    return whole > 0 ? (getMean(powersIn(DRUMS, HIGH_START, rows)) * frames) / whole : 0;
  }
}

/**
 * Gives what counts as vocals to the other sources where no one sings: a voice has separate sounds, and what leaks from
 * instruments has a small share of many. Changes the masks in place; their sum stays.
 */
export function clearUnsung({ frames, rows, powers, masks }: MaskedRows): void {
  const own = new Float64Array(frames);
  const certain = new Float64Array(frames);
  for (let frame = 0, at = 0; frame < frames; frame++) {
    for (let row = 0; row < rows; row++, at++) {
      const power = masks[at] * powers[at];
      own[frame] = own[frame] + power;
      certain[frame] = certain[frame] + masks[at] * power;
    }
  }
  for (let frame = 0; frame < frames; frame++) {
    const [from, to] = [Math.max(0, frame - VOICE_REACH), frame + VOICE_REACH + 1];
    const around = getMean(own.subarray(from, to));
    const isSung = around > 0 ? ramp(getMean(certain.subarray(from, to)) / around, UNSUNG, SUNG) : 0;
    if (isSung < 1) attenuate(frame, isSung);
  }

  function attenuate(frame: number, gain: number): void {
    for (let row = 0; row < rows; row++) {
      const place = (source: number) => (source * frames + frame) * rows + row;
      const vocals = masks[place(VOCALS)];
      const others = 1 - vocals;
      let moved = (1 - gain) * vocals;
      masks[place(VOCALS)] = gain * vocals;
      const factor = others > 1e-6 ? moved / others : 0;
      for (const source of [DRUMS, BASS]) {
        const part = factor * masks[place(source)];
        masks[place(source)] = masks[place(source)] + part;
        moved -= part;
      }
      masks[place(OTHER)] = masks[place(OTHER)] + moved;
    }
  }
}

/** Returns how far a value is from one bound to another, from 0 to 1. */
function ramp(value: number, zero: number, one: number): number {
  return Math.min(1, Math.max(0, (value - zero) / (one - zero)));
}

/** Returns the rises of amplitude from frame to frame. */
function getOnsets(powers: Float64Array): Float64Array {
  return powers.map((power, at) => Math.max(0, Math.sqrt(power) - Math.sqrt(powers[Math.max(0, at - 1)])));
}

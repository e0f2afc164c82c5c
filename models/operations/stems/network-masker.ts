import { OperationError } from '../../core/operation/errors.ts';
import type { Session } from '../../core/runtime/inference.ts';
import { WarningSet } from '../../core/runtime/run-warnings.ts';
import { floatsOf } from '../../core/runtime/tensor.ts';
import { binCount, type StereoFrame } from './kernels/stft.ts';
import type { Masks } from './kernels/wiener.ts';
import type { Masker } from './masked-stems.ts';
import { reassignKicks } from './reassign-kicks.ts';
import type { StemCount } from './stems.ts';
import { AUDIO_SEPARATE_STEMS_WEIGHTS } from './weights.ts';

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
export class NetworkMasker implements Masker {
  readonly shape = SHAPE;
  readonly frames = FRAMES;
  readonly overlap = OVERLAP;
  /** Execution provider of the last run. */
  provider = '';
  readonly notices = new WarningSet();
  readonly #session: Session;
  readonly #stems: StemCount;
  readonly #signal: AbortSignal;

  constructor(session: Session, stems: StemCount, signal: AbortSignal) {
    this.#session = session;
    this.#stems = stems;
    this.#signal = signal;
  }

  /** @throws OperationError `unavailable` when the model is another one */
  async masks(segment: readonly StereoFrame[]): Promise<Masks> {
    const data = powersOf(segment);
    const powers = { type: 'float32', dims: [1, 2, FRAMES, ROWS], data } as const;
    const { outputs, provider, notices } = await this.#session.run({ powers }, this.#signal);
    this.provider = provider;
    this.notices.add(...notices);
    const { masks } = outputs;
    if (masks?.data.length !== SOURCES * FRAMES * ROWS) {
      throw new OperationError('unavailable', `${STEMS_CARD.id}: the model does not separate stems.`);
    }
    const values = floatsOf(masks);
    const mid = data.subarray(0, FRAMES * ROWS);
    if (this.#stems === 'four') reassignKicks({ frames: FRAMES, rows: ROWS, powers: mid, masks: values });
    const count = this.#stems === 'two' ? 1 : SOURCES - 1;
    return withRemainder(Array.from({ length: count }, (_, source) => overBins(values, source)));
  }
}

/** Returns the powers of mid and side in each row, 2 x frames x rows. */
function powersOf(segment: readonly StereoFrame[]): Float32Array<ArrayBuffer> {
  const powers = new Float32Array(2 * FRAMES * ROWS);
  segment.forEach((frame, at) => {
    for (let row = 0; row < ROWS; row++) {
      let mid = 0;
      let side = 0;
      for (const bin of SEEN[row] as readonly number[]) {
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
